/**
 * Elysia's `t`, with the kinds of values that it lacks. Such schemas validate requests, give the types of an operation, and are the
 * components of the document. `error` is the sentence that a client gets for an invalid value. It begins with the JSON Pointer of
 * the member. The document does not contain it.
 */
import { Integer, Kind, type TProperties, type TSchema, type TUnsafe, TypeRegistry } from '@sinclair/typebox';
import { t as elysia } from 'elysia';
import { int64FromCanonical, isInt64 } from '../base/int64.ts';
import { isSecret, secretForm } from '../base/signature.ts';
import { isStorableText } from '../base/text.ts';
import { isInstant } from '../base/time.ts';
import { monstera, secret } from '../domain/sample-data.ts';

export type { Static, TLiteral, TObject, TProperties, TSchema } from '@sinclair/typebox';
/** The names of the members of an object, with their types. */
export { KeyOfPropertyKeys as memberNamesOf } from '@sinclair/typebox';

/** Requests may have more members. Explicit, since Elysia sets it to false otherwise. */
export const open = { additionalProperties: true, error: 'The body must be a JSON object.' };

export const query = <Parameters extends TProperties>(parameters: Parameters) =>
  elysia.Object(parameters, { ...open, error: 'The query is invalid.' });

/** Responses have no other members. */
export const closed = { additionalProperties: false };

/** The same for `allOf` and `oneOf`, where `additionalProperties` applies to only one part. */
export const closedComposition = { unevaluatedProperties: false };

/** Makes the schema a component of the document. Other schemas refer to it. */
export const named = <Schema extends TSchema>(name: string, schema: Schema): Schema => ({
  ...schema,
  [component]: { name, description: schema.description },
});

/** Whether a value can be invalid: then the schema has a sentence for it. */
export const isChecked = ({ error }: TSchema): boolean => error !== undefined;

export const sentenceOf = ({ error }: TSchema): string => `${error}`;

/** Throws if the schema is not a component. */
export const nameOf = (schema: TSchema): string => {
  if (!isComponent(schema)) throw new Error('The schema is not a component.');
  return schema[component].name;
};

export const pointerTo = (schema: TSchema): string => `#/components/schemas/${nameOf(schema)}`;

/** The schema as JSON Schema 2020-12, with JSON numbers for bigints, and with references to other components. */
export const toJsonSchema = (schema: TSchema): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(schema, (key, value) => {
      if (key === 'error' && typeof value === 'string') return undefined;
      // True is the default of JSON Schema. Only Elysia needs it.
      if (key === 'additionalProperties' && value === true) return undefined;
      if (typeof value === 'bigint') return Number(value);
      return key !== '' && isComponent(value) ? ref(value) : value;
    }),
  );

/** The same, or a reference if the schema is a component. */
export const toSubschema = (schema: TSchema): Record<string, unknown> =>
  isComponent(schema) ? ref(schema) : toJsonSchema(schema);

/** A reference, with the description if it differs from that of the component: tools support no other siblings. */
const ref = (schema: TSchema): { $ref: string; description?: string } => {
  const { description } = schema;
  const isItsOwn = isComponent(schema) && description !== undefined && description !== schema[component].description;
  return { $ref: pointerTo(schema), ...(isItsOwn && { description }) };
};

const component = Symbol('component');

type Component = TSchema & { readonly [component]: { readonly name: string; readonly description?: string } };

const isComponent = (value: unknown): value is Component =>
  typeof value === 'object' && value !== null && component in value;

interface Wording {
  readonly description: string;
  /** The sentence for an invalid value. Absent for values that occur only in responses. */
  readonly error?: string;
  readonly readOnly?: true;
  readonly writeOnly?: true;
}

/**
 * Registers a kind of values that TypeBox does not have: its integer is a double, its `maxLength` counts UTF-16 code units, and a
 * value in a path or a query is text. Elysia checks them with `check`. The document shows plain JSON Schema. Returns a function that
 * makes such schemas from these keywords and its options.
 */
const kind = <Value, Options extends object = object>(
  name: string,
  keywords: object,
  check: (value: unknown, options: Options) => boolean,
) => {
  TypeRegistry.Set<Options>(name, (schema, value) => check(value, schema));
  TypeRegistry.Set<Options>(`${name}OrNull`, (schema, value) => value === null || check(value, schema));
  return <Own extends Wording & Options>(
    options: Own,
  ): TUnsafe<Value> & Pick<Own, keyof Own & ('default' | 'error')> => ({
    ...elysia.Unsafe<Value>({ [Kind]: name, ...keywords }),
    ...options,
  });
};

const OrNull = <Value>(schema: TUnsafe<Value>, wording: Wording & { examples: (Value | null)[] }) =>
  elysia.Unsafe<Value | null>({
    ...schema,
    [Kind]: `${schema[Kind]}OrNull`,
    type: [schema['type'], 'null'],
    ...wording,
  });

const Int64 = kind<bigint, { examples: bigint[] }>('Int64', { type: 'integer', format: 'int64' }, isInt64);

/** JSON Schema counts code points, as `isStorableText` does. `pattern` cannot exclude lone surrogates, but UTF-8 does. */
const pattern = '^[^\\x00]*$';

const StorableText = kind<string, { maxLength: number; examples?: string[]; format?: string }>(
  'StorableText',
  { type: 'string', pattern },
  (value, { maxLength }) => isStorableText(value, maxLength),
);

const Instant = kind<string>(
  'Instant',
  { type: 'string', format: 'date-time', examples: [monstera.createdAt] },
  isInstant,
);

const SecretText = kind<string>(
  'SecretText',
  { type: 'string', pattern: secretForm.source, examples: [secret] },
  (value) => typeof value === 'string' && isSecret(value),
);

/** An int64 in a path. Only the canonical form is valid, so that each plant has one address. */
const CanonicalInt64 = kind<string, { examples: Record<string, bigint> }>(
  'CanonicalInt64',
  { type: 'integer', format: 'int64' },
  (value) => typeof value === 'string' && int64FromCanonical(value) !== undefined,
);

/** A small positive integer in a query: text, or the default, which Elysia inserts. */
const IntegerText = kind<string | number, { minimum: number; maximum: number; default: number; examples?: number[] }>(
  'IntegerText',
  { type: 'integer', format: 'int32' },
  (value, { minimum, maximum }) =>
    /^[1-9]\d{0,8}$/.test(`${value}`) && Number(value) >= minimum && Number(value) <= maximum,
);

const Enumeration = <Word extends string>({ words, ...wording }: Wording & { words: readonly Word[] }) =>
  elysia.Unsafe<Word>(word({ enum: words, ...wording }));

const word = kind<string, { enum: readonly string[] }>('Enumeration', { type: 'string' }, (value, options) =>
  options.enum.some((known) => known === value),
);

/** Elysia's `t`, with the kinds above as if they were its own. `Integer` is TypeBox's: Elysia's also accepts text. */
export const t = {
  ...elysia,
  Int64,
  Integer,
  StorableText,
  Instant,
  SecretText,
  CanonicalInt64,
  IntegerText,
  Enumeration,
  OrNull,
};

/** Examples by name, for `JSON.stringify`. A request and its response have the same name; tests send each request and compare the response. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: object | string }>>;
