/**
 * What the shapes of the interface have in common. They are TypeBox schemas, once: they validate requests in Elysia, and are the
 * components of the document. `error` on each is the sentence that a caller gets when it does not hold; it begins with the
 * member's JSON Pointer, and `toJsonSchema` leaves it out of the document.
 */
import { type TProperties, type TSchema, Type } from '@sinclair/typebox';

/** What is sent may have more members than are asked for. In words, since Elysia would otherwise make it false. */
export const open = { additionalProperties: true, error: 'The body must be a JSON object.' };

/** A query; parameters of other names are ignored. */
export const query = <Parameters extends TProperties>(parameters: Parameters) =>
  Type.Object(parameters, { ...open, error: 'The query does not fit.' });

/** An answer has no members but those of its schema. */
export const closed = { additionalProperties: false };

/** The same for what is put together by `allOf` and `oneOf`, where `additionalProperties` would see one part alone. */
export const closedOver = { unevaluatedProperties: false };

/** Makes the schema a component of the document: wherever else it stands, the document refers to it. */
export const named = <Schema extends TSchema>(name: string, schema: Schema): Schema => ({
  ...schema,
  [component]: { name, description: schema.description },
});

/** Whether there is a sentence for what does not fit: without one everything fits. */
export const isChecked = ({ error }: TSchema): boolean => error !== undefined;

/** What a caller is told when the schema does not hold. */
export const sentenceOf = ({ error }: TSchema): string => `${error}`;

/** The name of a component. Throws for a schema that is none. */
export const nameOf = (schema: TSchema): string => {
  if (!isComponent(schema)) throw new Error('The schema is not a component.');
  return schema[component].name;
};

export const pointerTo = (schema: TSchema): string => `#/components/schemas/${nameOf(schema)}`;

/** The schema as the document shows it: plain JSON Schema 2020-12, with integers as JSON writes them. */
export const toJsonSchema = (schema: TSchema): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(schema, (key, value) => {
      if (key === 'error' && typeof value === 'string') return undefined;
      // The default, which `open` says for Elysia alone.
      if (key === 'additionalProperties' && value === true) return undefined;
      if (typeof value === 'bigint') return Number(value);
      return key !== '' && isComponent(value) ? ref(value) : value;
    }),
  );

/** The schema as it stands within the document: a component by reference. */
export const toSubschema = (schema: TSchema): Record<string, unknown> =>
  isComponent(schema) ? ref(schema) : toJsonSchema(schema);

/** A description of its own may stand beside a reference; there is nothing else that every tool reads there. */
export const ref = (schema: TSchema): { $ref: string; description?: string } => {
  const { description } = schema;
  const isItsOwn = isComponent(schema) && description !== undefined && description !== schema[component].description;
  return { $ref: pointerTo(schema), ...(isItsOwn && { description }) };
};

const component = Symbol('component');

type Component = TSchema & { readonly [component]: { readonly name: string; readonly description?: string } };

const isComponent = (value: unknown): value is Component =>
  typeof value === 'object' && value !== null && component in value;
