import { type TSchema, Type } from '@sinclair/typebox';
import { encodeCursor } from '../../base/page.ts';
import { invalidPathId, otherId } from '../../domain/error.ts';
import type * as domain from '../../domain/plant.ts';
import { nameLengthMax, tagLengthMax } from '../../domain/plant.ts';
import { monstera, moss } from '../../domain/sample-data.ts';
import { limitOf } from '../paging.ts';
import {
  canonicalInt64,
  closedComposition,
  instant,
  int64,
  named,
  open,
  orNull,
  query,
  storableText,
} from '../schema.ts';
import { ofEachPatch } from './examples.ts';

const id = int64({
  description: 'Identification number of the plant',
  examples: [monstera.id],
  error: '/id is required and must be an integer from -9223372036854775808 to 9223372036854775807.',
});

const name = storableText({
  maxLength: nameLengthMax,
  description: 'The name of the plant',
  examples: [monstera.name],
  error: `/name is required and must be a string of at most ${nameLengthMax} characters, without U+0000 or lone surrogates.`,
});

const tag = storableText({
  maxLength: tagLengthMax,
  description: 'Tag that specifies the type of the plant',
  examples: [monstera.tag],
  error: `/tag must be a string of at most ${tagLengthMax} characters, without U+0000 or lone surrogates.`,
});

const time = (name: string, description: string) =>
  instant({ description, readOnly: true, error: `/${name} must be a time such as 2026-05-01T09:30:00.000Z.` });

/** Only the service sets them. It ignores them in requests. */
const times = {
  createdAt: time('createdAt', 'Time of creation'),
  updatedAt: time('updatedAt', 'Time of the last change'),
};

const members = { name, tag: Type.Optional(tag) } satisfies Record<keyof domain.Plant, TSchema>;

export const plantMembers = { id, ...members };

export const Plant = named('Plant', Type.Object(members, open));

export const NewPlant = named(
  'NewPlant',
  Type.Object(plantMembers, { ...open, description: 'A plant to create. Unknown members are ignored.' }),
);

export const PlantRecord = named(
  'PlantRecord',
  Type.Intersect([NewPlant, Type.Object(times)], {
    ...closedComposition,
    description: 'A stored plant with its times. Every record is also a valid Plant and a valid NewPlant.',
  }),
);

/** One plant of an import. It has times if it comes from an export. */
export const ImportedPlant = Type.Object({ ...plantMembers, ...Type.Partial(Type.Object(times)).properties }, open);

export const PlantPatch = named(
  'PlantPatch',
  Type.Object(
    {
      id: Type.Optional(
        int64({
          description: 'If present, it must equal the id in the path.',
          examples: [monstera.id],
          error: otherId.sentence,
        }),
      ),
      name: Type.Optional(name),
      tag: Type.Optional(
        orNull(tag, {
          description: 'The new tag; null removes it.',
          examples: [monstera.tag, null],
          error: `/tag must be null or a string of at most ${tagLengthMax} characters, without U+0000 or lone surrogates.`,
        }),
      ),
    } satisfies Record<keyof domain.NewPlant, TSchema>,
    { ...open, description: 'The members to update. Unknown members are ignored.' },
  ),
);

export const PlantPath = Type.Object(
  {
    id: canonicalInt64({
      description: 'Identification number of the plant, in canonical decimal form',
      examples: ofEachPatch(monstera.id),
    }),
  },
  { error: invalidPathId.sentence },
);

export const PlantListQuery = query({
  limit: limitOf('plants'),
  after: Type.Optional(
    Type.String({
      description: 'Opaque cursor from a `Link` header',
      examples: [encodeCursor(moss.id)],
      error: 'The query parameter after must be a cursor.',
    }),
  ),
  tag: Type.Optional(
    storableText({
      maxLength: tagLengthMax,
      description: 'Only plants with exactly this tag',
      examples: [monstera.tag],
      error: `The query parameter tag must be a string of at most ${tagLengthMax} characters, without U+0000.`,
    }),
  ),
});
