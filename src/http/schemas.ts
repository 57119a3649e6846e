/**
 * The shapes of the interface, once: these TypeBox schemas validate requests in Elysia and are the components of the
 * document. `error` on each is the sentence that a caller gets when it does not hold; it begins with the member's JSON
 * Pointer, and `toJsonSchema` leaves it out of the document.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { nameLengthMax, tagLengthMax } from '../domain/plant.ts';
import { scopes } from '../domain/token.ts';
import { canonicalInt64, instant, int64, integerText, keepableText, keepableTextOrNull } from './kinds.ts';
import { problems } from './problem.ts';

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

const createdAt = instant({
  description: 'When the plant was created',
  error: '/createdAt must be a time such as 2026-05-01T09:30:00.000Z.',
});

const updatedAt = instant({
  description: 'When the plant was last changed',
  error: '/updatedAt must be a time such as 2026-05-01T09:30:00.000Z.',
});

/** What a plant is made of. */
export const plantMembers = { id, name, tag: Type.Optional(tag) };

/** `additionalProperties` is said in words, since Elysia would otherwise make it false. */
export const open = { additionalProperties: true, error: 'The body must be a JSON object.' };

export const Plant = Type.Object({ name, tag: Type.Optional(tag) }, open);

export const NewPlant = Type.Object(plantMembers, open);

export const PlantRecord = Type.Object({ ...plantMembers, createdAt, updatedAt }, open);

/** One plant of an import: the rules of the interface, and the times of an export. */
export const ImportedPlant = Type.Object(
  {
    ...plantMembers,
    createdAt: Type.Optional(createdAt),
    updatedAt: Type.Optional(updatedAt),
  },
  open,
);

export const PlantPatch = Type.Object(
  {
    id: Type.Optional(
      int64({
        description: 'If it is there, it must be the id in the path.',
        examples: [1n],
        error: '/id must be the id in the path.',
      }),
    ),
    name: Type.Optional(name),
    tag: Type.Optional(
      keepableTextOrNull({
        maxLength: tagLengthMax,
        description: 'The new tag; null removes it.',
        examples: ['tropical', null],
        error: `/tag must be null or a string of at most ${tagLengthMax} characters, without U+0000 or lone surrogates.`,
      }),
    ),
  },
  open,
);

/** Every number that `error` can have, with its name in the code and its meaning. */
const catalogue = Object.entries(problems).map(([title, { error, description }]) => ({
  const: error,
  title,
  description,
}));

export const Problem = Type.Object(
  {
    error: Type.Unsafe<number>({
      type: 'integer',
      format: 'int32',
      description: 'Numeric error value: the status times 100, and a number of its own.',
      oneOf: catalogue,
      examples: [problems.invalid_body.error],
    }),
    message: Type.String({ description: 'Error message text', examples: ['/id must be the id in the path.'] }),
  },
  open,
);

export const Token = Type.Object(
  {
    name: Type.String({ description: 'What the token is for', examples: ['laptop'] }),
    scopes: Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...scopes] }), {
      description: 'What the token may be used for',
      examples: [['plants:read']],
    }),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the token stops to hold; absent when it does not.',
        examples: ['2026-08-01T09:30:00.000Z'],
      }),
    ),
  },
  open,
);

export const pathIdError = 'The id in the path must be an integer from -2^63 to 2^63-1 in canonical decimal.';

export const PlantPath = Type.Object(
  {
    id: canonicalInt64({
      description: 'Identification number of the plant, in canonical decimal.',
      error: pathIdError,
    }),
  },
  { additionalProperties: true, error: pathIdError },
);

const limitMax = 1000;
const limitDefault = 100;

/** The size of a page of any list. */
export const limitOf = (what: string) =>
  integerText({
    minimum: 1,
    maximum: limitMax,
    default: limitDefault,
    description: `The largest number of ${what} to answer with.`,
    error: `The query parameter limit must be an integer from 1 to ${limitMax}.`,
  });

export const PlantListQuery = Type.Object(
  {
    limit: limitOf('plants'),
    after: Type.Optional(
      Type.String({
        description: 'Where to go on, as a `Link` has given it; opaque.',
        error: 'The query parameter after must be a cursor.',
      }),
    ),
    tag: Type.Optional(
      keepableText({
        maxLength: tagLengthMax,
        description: 'Only plants with exactly this tag.',
        examples: ['tropical'],
        error: `The query parameter tag must be a text of at most ${tagLengthMax} characters, without U+0000.`,
      }),
    ),
  },
  { additionalProperties: true, error: 'The query does not fit.' },
);

export type NewPlantBody = Static<typeof NewPlant>;
export type PlantPatchBody = Static<typeof PlantPatch>;
export type PlantPathParams = Static<typeof PlantPath>;
export type PlantListParams = Static<typeof PlantListQuery>;

/** The schema as the document shows it: plain JSON Schema 2020-12, with integers as JSON writes them. */
export const toJsonSchema = (schema: TSchema): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === 'error' && typeof value === 'string' ? undefined : asNumber(value),
    ),
  );

const asNumber = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
