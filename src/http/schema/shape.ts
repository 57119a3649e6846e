/**
 * TypeBox schemas that validate requests in Elysia and are the components of the document. `error` is the sentence that a client
 * gets for an invalid value. It begins with the JSON Pointer of the member. The document does not contain it.
 */
import { type TProperties, type TSchema, Type } from '@sinclair/typebox';

/** Requests may have more members. Explicit, since Elysia sets it to false otherwise. */
export const open = { additionalProperties: true, error: 'The body must be a JSON object.' };

export const query = <Parameters extends TProperties>(parameters: Parameters) =>
  Type.Object(parameters, { ...open, error: 'The query is invalid.' });

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
