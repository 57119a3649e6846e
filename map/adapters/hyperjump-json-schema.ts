import type { AdapterText } from '../measure/adapter.ts';
import { type Document, valueAt } from '../measure/operation.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { schemasBeside } from './shared/files.ts';

interface Output {
  readonly valid: boolean;
  readonly errors?: readonly {
    readonly keyword: string;
    readonly absoluteKeywordLocation: string;
    readonly instanceLocation: string;
  }[];
}

type Judge = (schema: string, instance: unknown, format: 'BASIC') => Promise<Output>;

interface Library {
  readonly validate: Judge;
  readonly setShouldValidateSchema: (isEnabled: boolean) => void;
}

/** Each module knows the official schema and the dialect of its version. */
const load = async ({ import: imported }: Session): Promise<Library> => {
  for (const version of ['3-0', '3-1']) await imported(`@hyperjump/json-schema/openapi-${version}`);
  const library = await imported<Library>('@hyperjump/json-schema/openapi-3-2');
  // It compares a schema that has an `$id` with the schema of a whole document, and would refuse it.
  library.setShouldValidateSchema(false);
  return library;
};

/** The official schema with that of the dialect. */
const schemaOf = ({ openapi, jsonSchemaDialect }: Document): string => {
  const version = `${openapi}`.slice(0, 3);
  const hasSchemas = `${jsonSchemaDialect}`.startsWith('https://json-schema.org/draft/2020-12/');
  const name = version === '3.0' ? 'schema' : hasSchemas ? 'schema-draft-2020-12' : 'schema-base';
  return `https://spec.openapis.org/oas/${version}/${name}`;
};

/** Of a schema that a document refers to. */
const dialectOf = ({ openapi }: Document): string =>
  `${openapi}`.startsWith('3.0')
    ? 'https://spec.openapis.org/oas/3.0/dialect'
    : 'https://spec.openapis.org/oas/3.1/dialect/base';

export const tool: AdapterText = {
  name: '@hyperjump/json-schema',
  kind: 'schema',
  language: 'JavaScript',
  registry: 'npm',
  package: '@hyperjump/json-schema',
  version: '1.18.0',
  with: { '@hyperjump/browser': '1.5.0' },
  homepage: 'https://github.com/hyperjump-io/json-schema',
  tracker: 'https://github.com/hyperjump-io/json-schema/issues',
  usage:
    "setShouldValidateSchema(false); await validate('./openapi.json#/…', body); await validate('https://spec.openapis.org/oas/3.2/schema-base', document)",
  abilities: {
    // It knows schemas, and neither which of them an operation has, nor whether a body is a request: a question about either is none to it.
    validate: async (session, questions) => {
      const { validate: judge } = await load(session);
      // A schema in a file of its own says its dialect, as the tool demands.
      for (const [path, schema] of schemasBeside(session))
        await Bun.write(session.file(path), JSON.stringify({ $schema: dialectOf(session.document), ...schema }));
      const hasSides = /"(?:read|write)Only":true/.test(JSON.stringify(session.document));
      return Promise.all(
        questions.map(async ({ target, contentType, body, schema }) => {
          // Its caller knows the URI of a document.
          if (hasSides || '$self' in session.document) return undefined;
          if (!target.startsWith('/') || contentType !== 'application/json' || body === undefined) return undefined;
          if (valueAt(session.document, schema) === undefined) return undefined;
          const place = `${session.file('openapi.json')}#${encodeURI(schema)}`;
          const output = await judge(place, JSON.parse(body), 'BASIC').catch((error) => {
            throw new Refusal(`${error}`);
          });
          const [first] = output.errors ?? [];
          const line = first && `${first.instanceLocation} ${first.absoluteKeywordLocation.split('#').at(-1)}`;
          return { isAccepted: output.valid, ...(line && { line }) };
        }),
      );
    },
    lint: async (session, questions) => {
      const { validate: judge } = await load(session);
      return Promise.all(
        questions.map(async ({ file, level = 'document' }) => {
          if (level === 'example' || level === 'reference') return undefined;
          const document = await Bun.file(session.file(file)).json();
          const { errors = [] } = await judge(schemaOf(document), document, 'BASIC');
          return errors.map(({ instanceLocation, keyword }) => ({
            pointer: decodeURI(instanceLocation.slice(1)),
            message: `${instanceLocation} ${keyword}`,
          }));
        }),
      );
    },
  },
};
