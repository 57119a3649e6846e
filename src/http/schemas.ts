/**
 * The shapes of the interface, once: these TypeBox schemas validate requests in Elysia and are the components of the
 * document. `error` on each is the sentence that a caller gets when it does not hold; it begins with the member's JSON
 * Pointer, and `openapi.ts` leaves it out of the document.
 */
import { Kind, type Static, type TSchema, Type, TypeRegistry } from '@sinclair/typebox';
import { int64FromCanonical, isInt64 } from '../domain/int64.ts';
import { isKeepableText, nameLengthMax, tagLengthMax } from '../domain/plant.ts';
import { problems } from './problem.ts';

/** TypeBox's own integer is a double, and its `maxLength` counts UTF-16 units: two kinds of our own do it right. */
TypeRegistry.Set('Int64', (_schema, value) => isInt64(value));
TypeRegistry.Set<{ maxLength: number }>('KeepableText', ({ maxLength }, value) => isKeepableText(value, maxLength));
TypeRegistry.Set(
  'CanonicalInt64',
  (_schema, value) => typeof value === 'string' && int64FromCanonical(value) !== undefined,
);

const int64 = (options: { description: string; examples: bigint[]; error: string }) =>
  Type.Unsafe<bigint>({ [Kind]: 'Int64', type: 'integer', format: 'int64', ...options });

/** JSON Schema counts code points, as `isKeepableText` does. What `pattern` cannot say, a lone surrogate, UTF-8 cannot either. */
const keepableText = (options: { maxLength: number; description: string; examples: string[]; error: string }) =>
  Type.Unsafe<string>({ [Kind]: 'KeepableText', type: 'string', pattern: '^[^\\u0000]*$', ...options });

const id = int64({
  description: 'Identification number of the plant',
  examples: [1n],
  error: '/id is required and must be an integer from -9223372036854775808 to 9223372036854775807.',
});

const name = keepableText({
  maxLength: nameLengthMax,
  description: 'The name of the plant',
  examples: ['Monstera'],
  error: `/name is required and must be a string of at most ${nameLengthMax} characters, without U+0000 or lone surrogates.`,
});

const tag = keepableText({
  maxLength: tagLengthMax,
  description: 'Tag that specifies the type of the plant',
  examples: ['tropical'],
  error: `/tag must be a string of at most ${tagLengthMax} characters, without U+0000 or lone surrogates.`,
});

const instant = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-05-01T09:30:00.000Z'] });

/** `additionalProperties` is said in words, since Elysia would otherwise make it false. */
const open = { additionalProperties: true, error: 'The body must be a JSON object.' };

export const Plant = Type.Object({ name, tag: Type.Optional(tag) }, open);

export const NewPlant = Type.Object({ id, name, tag: Type.Optional(tag) }, open);

export const PlantRecord = Type.Object(
  {
    id,
    name,
    tag: Type.Optional(tag),
    createdAt: instant('When the plant was created'),
    updatedAt: instant('When the plant was last changed'),
  },
  open,
);

export const Problem = Type.Object(
  {
    error: Type.Integer({
      format: 'int32',
      description: 'Numeric error value',
      examples: [problems.invalid_body.error],
    }),
    message: Type.String({ description: 'Error message text', examples: ['/name is required.'] }),
  },
  open,
);

/** The id in a path has one spelling, so that a plant has one address. */
const pathIdError = 'The id in the path must be an integer from -2^63 to 2^63-1 in canonical decimal.';
const pathId = Type.Unsafe<string>({ [Kind]: 'CanonicalInt64', type: 'integer', format: 'int64', error: pathIdError });

export const PlantPath = Type.Object({ id: pathId }, { additionalProperties: true, error: pathIdError });

export type NewPlantBody = Static<typeof NewPlant>;
export type PlantPathParams = Static<typeof PlantPath>;

/** The schema as the document shows it: plain JSON Schema 2020-12, with integers as JSON writes them. */
export const toJsonSchema = (schema: TSchema): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === 'error' && typeof value === 'string' ? undefined : asNumber(value),
    ),
  );

const asNumber = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
