/**
 * TypeBox schemas that validate requests in Elysia and are the components of the document. `error` is the sentence that a caller
 * gets for a value that does not fit; it begins with the member's JSON Pointer. The document leaves it out.
 */
import { type TProperties, type TSchema, Type } from '@sinclair/typebox';

/** A request may have more members. Explicit, since Elysia would otherwise make it false. */
export const open = { additionalProperties: true, error: 'The body must be a JSON object.' };

export const query = <Parameters extends TProperties>(parameters: Parameters) =>
  Type.Object(parameters, { ...open, error: 'The query does not fit.' });

/** An answer has no other members. */
export const closed = { additionalProperties: false };

/** The same for `allOf` and `oneOf`, where `additionalProperties` would see only one part. */
export const closedOver = { unevaluatedProperties: false };

/** Makes the schema a component of the document. Other schemas refer to it. */
export const named = <Schema extends TSchema>(name: string, schema: Schema): Schema => ({
  ...schema,
  [component]: { name, description: schema.description },
});

/** Whether anything can fail to fit: such a schema has a sentence for it. */
export const isChecked = ({ error }: TSchema): boolean => error !== undefined;

export const sentenceOf = ({ error }: TSchema): string => `${error}`;

/** Throws for a schema that is no component. */
export const nameOf = (schema: TSchema): string => {
  if (!isComponent(schema)) throw new Error('The schema is not a component.');
  return schema[component].name;
};

export const pointerTo = (schema: TSchema): string => `#/components/schemas/${nameOf(schema)}`;

/** The schema as JSON Schema 2020-12, with integers as JSON writes them, and with references to other components. */
export const toJsonSchema = (schema: TSchema): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(schema, (key, value) => {
      if (key === 'error' && typeof value === 'string') return undefined;
      // The default of JSON Schema, which only Elysia needs.
      if (key === 'additionalProperties' && value === true) return undefined;
      if (typeof value === 'bigint') return Number(value);
      return key !== '' && isComponent(value) ? ref(value) : value;
    }),
  );

/** The same, or a reference if the schema is a component. */
export const toSubschema = (schema: TSchema): Record<string, unknown> =>
  isComponent(schema) ? ref(schema) : toJsonSchema(schema);

/** A reference, with the description if it differs from the component's: tools read nothing else beside it. */
const ref = (schema: TSchema): { $ref: string; description?: string } => {
  const { description } = schema;
  const isItsOwn = isComponent(schema) && description !== undefined && description !== schema[component].description;
  return { $ref: pointerTo(schema), ...(isItsOwn && { description }) };
};

const component = Symbol('component');

type Component = TSchema & { readonly [component]: { readonly name: string; readonly description?: string } };

const isComponent = (value: unknown): value is Component =>
  typeof value === 'object' && value !== null && component in value;
