/**
 * Validation by the validator of `@hyperjump/json-schema`: of a document against the official schema of its version, and of a value against a
 * schema in a document. Nothing is loaded from other files or hosts.
 */
import { removeUriSchemePlugin } from '@hyperjump/browser';
import { DETAILED, getSchema } from '@hyperjump/json-schema/experimental';
import { validate as validate30 } from '@hyperjump/json-schema/openapi-3-0';
import {
  hasSchema,
  registerSchema,
  type SchemaObject,
  setShouldValidateSchema,
  unregisterSchema,
  validate as validate31,
} from '@hyperjump/json-schema/openapi-3-1';
import { validate as validate32 } from '@hyperjump/json-schema/openapi-3-2';
import { type Members, valueAt } from '../../base/json-pointer.ts';
import type { OpenApi, Version } from './document.ts';
import { nodesIn } from './nodes.ts';

/** A keyword that refuses a part of a value. */
export interface Refusal {
  /** Such as `maxLength`; `validate` is a schema that is `false`. */
  readonly keyword: string;
  /** The keyword in a schema, as a URI with a JSON Pointer. */
  readonly location: string;
  /** What the schema has there. */
  readonly expected: unknown;
  /** The JSON Pointer of the part. */
  readonly pointer: string;
  /** The keywords within this one that refuse something. */
  readonly within: readonly Refusal[];
}

const oas = 'https://spec.openapis.org/oas/';

interface Official {
  readonly schema: string;
  /** The part of the document whose dialect keeps the official schema from checking the Schema Objects. */
  readonly uncheckedBy?: { readonly pointer: string; readonly dialect: string };
}

/** The official schema that also checks the Schema Objects, if there is one for their dialect, and all have the same. */
const officialFor =
  (base: string) =>
  (document: Members, version: Version): Official => {
    const own = `${oas}${version}/${base}`;
    const { jsonSchemaDialect: dialect = own } = document;
    const [, draft] = /^https:\/\/json-schema\.org\/draft\/(2020-12|2019-09)\/schema$/.exec(`${dialect}`) ?? [];
    if (dialect !== own && draft === undefined)
      return { schema: 'schema', uncheckedBy: { pointer: '/jsonSchemaDialect', dialect: `${dialect}` } };
    for (const { node, pointer } of nodesIn(document))
      if (node['$schema'] !== undefined && node['$schema'] !== dialect)
        return { schema: 'schema', uncheckedBy: { pointer: `${pointer}/$schema`, dialect: `${node['$schema']}` } };
    return { schema: draft === undefined ? 'schema-base' : `schema-draft-${draft}` };
  };

/** By the version of OpenAPI: its validator, the official schema, and the dialect of a document that names none. */
const byVersion = {
  '3.0': { validate: validate30, official: (): Official => ({ schema: 'schema' }), dialect: 'dialect' },
  '3.1': { validate: validate31, official: officialFor('dialect/base'), dialect: 'dialect/base' },
  '3.2': { validate: validate32, official: officialFor('dialect'), dialect: 'dialect' },
} as const satisfies Record<Version, object>;

// The official schemas are valid, and a whole document is not a schema.
setShouldValidateSchema(false);
for (const scheme of ['http', 'https', 'file']) removeUriSchemePlugin(scheme);

/** What the official schema refuses in a document. Empty if it is valid. Rejects with RangeError if it is nested too deeply. */
export const refusalsOfDocument = async ({ value, version }: OpenApi): Promise<readonly Refusal[]> => {
  const { validate, official } = byVersion[version];
  const { schema } = official(value, version);
  return refusalsIn(await validate(`${oas}${version}/${schema}`, value as never, DETAILED));
};

/** Where the dialect is that keeps the Schema Objects of a document from being checked. Undefined if they are checked. */
export const uncheckedBy = ({ value, version }: OpenApi): Official['uncheckedBy'] =>
  byVersion[version].official(value, version).uncheckedBy;

/** What the schema at a pointer refuses in a value. Rejects with the error of the validator if the schema cannot be used. */
export const refusalsOfValue = async (
  { value: document, version }: OpenApi,
  pointer: string,
  value: unknown,
): Promise<readonly Refusal[]> => {
  const { validate, dialect } = byVersion[version];
  const named = document['jsonSchemaDialect'];
  registerSchema(document as SchemaObject, uri, typeof named === 'string' ? named : `${oas}${version}/${dialect}`);
  try {
    return await refusalsIn(await validate(`${uri}#${encodeURI(pointer)}`, value as never, DETAILED));
  } finally {
    unregisterSchema(uri);
  }
};

/** Where the document is registered while a value is checked. */
const uri = 'https://document.example/openapi';

/** A keyword as a reference from the document. */
export const referenceTo = ({ location }: Refusal): string =>
  decodeURI(location.replace(uri, '').replace(new URL('.', uri).href, ''));

/** The output of the validator, whose type does not have the members of this format. */
interface Unit {
  readonly keyword: string;
  readonly absoluteKeywordLocation: string;
  readonly instanceLocation: string;
  readonly errors?: readonly Unit[];
}

const refusalsIn = (output: object): Promise<Refusal[]> =>
  toRefusals('errors' in output ? (output.errors as readonly Unit[]) : []);

/** The document in which a value is checked. Undefined if a document itself is. */
const registered = async () => (hasSchema(uri) ? (await getSchema(uri)).document : undefined);

const toRefusals = (units: readonly Unit[]): Promise<Refusal[]> =>
  Promise.all(
    units.map(async ({ keyword, absoluteKeywordLocation: location, instanceLocation, errors = [] }) => {
      const [schema = '', pointer = ''] = location.split('#');
      const embedded = (await registered())?.embedded?.[schema];
      const { root } = embedded ?? (await getSchema(location)).document;
      return {
        keyword: keyword.slice(keyword.lastIndexOf('/') + 1),
        location,
        expected: valueAt(root, decodeURIComponent(pointer)),
        pointer: decodeURIComponent(instanceLocation.slice(1)),
        within: await toRefusals(errors),
      };
    }),
  );
