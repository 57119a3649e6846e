/**
 * Elysia's `t`, with the kinds of values that it lacks. Such schemas validate requests, give the types of an operation, and are the
 * components of the document. `error` is the rule that a client gets for an invalid value, such as `must be an integer`. The
 * document does not contain it.
 */
import { Integer, type TProperties, type TSchema } from '@sinclair/typebox';
import { t as elysia } from 'elysia';
import { int64Max, int64Min, int64ToJson } from '../base/int64.ts';
import { kinds } from './kinds.ts';

export type { Static, TLiteral, TObject, TProperties, TSchema } from '@sinclair/typebox';
/** The names of the members of an object, with their types. */
export { KeyOfPropertyKeys as memberNamesOf } from '@sinclair/typebox';

/** Requests may have more members. Explicit, since Elysia sets it to false otherwise. */
export const extensible = { additionalProperties: true };

export const query = <Parameters extends TProperties>(parameters: Parameters) => elysia.Object(parameters, extensible);

/** Responses have no other members. */
export const closed = { additionalProperties: false };

/** Closes `allOf` and `oneOf`, where `additionalProperties` applies to only one part. */
export const closedComposition = { unevaluatedProperties: false };

/** Makes the schema a component of the document. Other schemas refer to it. */
export const named = <Schema extends TSchema>(name: string, schema: Schema): Schema => ({
  ...schema,
  [component]: { name, schema },
});

/** Whether a value can be invalid: then the schema has a rule for it. */
export const isChecked = ({ error }: TSchema): boolean => error !== undefined;

export const ruleOf = ({ error }: TSchema): string => `${error}`;

/** Throws if the schema is not a component. */
export const nameOf = (schema: TSchema): string => componentOf(schema).name;

/** The schema as it was named. A copy may have another description and other examples. Throws if it is not a component. */
export const originalOf = (schema: TSchema): TSchema => componentOf(schema).schema;

export const pointerTo = (schema: TSchema): string => `#/components/schemas/${nameOf(schema)}`;

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The schema as JSON Schema 2020-12, with exact integers for bigints, and with references to other components. Its keywords are in the
 * order of `keywords`.
 */
export const toJsonSchema = (schema: object): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => !isHidden(keyword, value))
      .map(([keyword, value]): [string, unknown] => [keyword, convertKeyword(keyword, value)])
      .sort(([one], [other]) => rankOf(one) - rankOf(other)),
  );

/** The order in the document: what it is, then its parts, then what else holds. Other keywords come last. */
const keywords = [
  ...[
    'title',
    'description',
    'type',
    'format',
    'contentMediaType',
    'contentEncoding',
    'contentSchema',
    'const',
    'enum',
    'default',
  ],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'items', 'minItems', 'maxItems', 'uniqueItems'],
  ...['required', 'properties', 'additionalProperties', 'allOf', 'oneOf', 'discriminator', 'unevaluatedProperties'],
  ...['readOnly', 'writeOnly', 'examples'],
];

const rankOf = (keyword: string): number => (keywords.includes(keyword) ? keywords.indexOf(keyword) : keywords.length);

/** The schema as JSON Schema, or a reference if it is a component. */
export const toSubschema = (schema: TSchema): JsonSchema => (isComponent(schema) ? ref(schema) : toJsonSchema(schema));

/** The component that an object of the document refers to, if it is a reference to a schema. */
export const targetOf = (node: object): TSchema | undefined => (isReference(node) ? node[target] : undefined);

/** The keys of `properties` are names and not keywords. The schema that accepts every value is `true`. */
const convertKeyword = (keyword: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return convert(value);
  if (keyword === 'additionalProperties' && Object.keys(value).length === 0) return true;
  return keyword === 'properties'
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(member)]))
    : convert(value);
};

const convert = (value: unknown): unknown => {
  if (typeof value === 'bigint') return int64ToJson(value);
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  return isComponent(value) ? ref(value) : toJsonSchema(value);
};

/** Whether the document leaves the keyword out. */
const isHidden = (keyword: string, value: unknown): boolean =>
  value === undefined ||
  (keyword === 'error' && typeof value === 'string') ||
  // True is the default of JSON Schema. Only Elysia needs it.
  (keyword === 'additionalProperties' && value === true) ||
  // `format: int64` has these bounds, and many tools would round them.
  (keyword === 'minimum' && value === int64Min) ||
  (keyword === 'maximum' && value === int64Max);

/** A reference, with the description if it differs from that of the component, and `readOnly`: tools support no other siblings. */
const ref = (schema: Component): Reference => {
  const { description, readOnly } = schema;
  const isItsOwn = description !== undefined && description !== originalOf(schema).description;
  return {
    $ref: pointerTo(schema),
    ...(isItsOwn && { description }),
    ...(readOnly === true && { readOnly }),
    [target]: schema,
  };
};

const component = Symbol('component');
const target = Symbol('target');

interface Reference extends JsonSchema {
  /** For the list of all components. JSON does not contain it. */
  readonly [target]: Component;
}

const isReference = (node: object): node is Reference => target in node;

type Component = TSchema & { readonly [component]: { readonly name: string; readonly schema: TSchema } };

const isComponent = (value: object): value is Component => component in value;

const componentOf = (schema: TSchema): Component[typeof component] => {
  if (!isComponent(schema)) throw new Error('The schema is not a component.');
  return schema[component];
};

/** Elysia's `t`, with the kinds of `kinds.ts` as if they were its own. `Integer` is TypeBox's: Elysia's also accepts text. */
export const t = { ...elysia, Integer, ...kinds };

/** Examples by name, for `JSON.stringify`. A request and its response have the same name; tests send each request and compare the response. */
export type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: object | string }>>;
