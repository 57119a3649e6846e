import { invalidPathId } from '../base/app-error.ts';
import { withCommas } from '../base/text.ts';
import { countParameter, limitOf } from '../http/paging.ts';
import { closed, closedComposition, extensible, named, query, type TSchema, t } from '../http/schema.ts';
import { namedPlantsMax, searchedPlantsMax } from './by-name.ts';
import { ofEachPatch } from './examples.ts';
import { listOrders } from './order.ts';
import { scannedByIdMax, scannedByTimeMax, tagsMax } from './paging.ts';
import type * as domain from './plant.ts';
import { nameLengthMax, pictureTypes, tagLengthMax } from './plant.ts';
import { cursorAfterMoss, monstera } from './sample.ts';

const id = t.Int64({
  description:
    'Identification number of the plant. JavaScript rounds it beyond 2⁵³, perhaps to that of another plant, unless a reviver of `JSON.parse` reads [the source text](https://github.com/tc39/proposal-json-parse-with-source).',
  error: 'must be an integer from -9223372036854775808 to 9223372036854775807',
});

const name = t.StorableText({
  maxLength: nameLengthMax,
  description: 'The name of the plant',
  error: `must be a string of at most ${nameLengthMax} characters, without U+0000 or lone surrogates`,
});

const tag = t.StorableText({
  maxLength: tagLengthMax,
  description: 'Tag that specifies the type of the plant',
  error: `must be a string of at most ${tagLengthMax} characters, without U+0000 or lone surrogates`,
});

const time = (description: string) =>
  t.Instant({ description, readOnly: true, error: 'must be a time such as 2026-05-01T09:30:00.000Z' });

/** The service sets them, from the bytes. */
export const pictureMembers = {
  type: t.Enumeration({ words: pictureTypes, description: 'Media type of the picture' }),
  width: t.Integer({ description: 'Width in pixels', minimum: 1 }),
  height: t.Integer({ description: 'Height in pixels', minimum: 1 }),
  bytes: t.Integer({ description: 'Size of the file in bytes', minimum: 1 }),
  digest: t.String({ description: 'SHA-256 of the bytes, in hexadecimal', pattern: '^[0-9a-f]{64}$' }),
} satisfies Record<keyof domain.Picture, TSchema>;

export const Picture = named(
  'Picture',
  t.Object(pictureMembers, {
    ...closed,
    description: 'What is known of the picture of a plant. `/plants/{id}/picture` has the picture itself.',
  }),
);

/** Only the service sets them. It ignores them in requests. */
const times = {
  createdAt: time('Time of creation'),
  updatedAt: time('Time of the last change'),
};

const members = { name, tag: t.Optional(tag) } satisfies Record<keyof domain.Plant, TSchema>;

export const plantMembers = { id, ...members };

export const Plant = named(
  'Plant',
  t.Object(members, { ...extensible, description: 'A plant without its id, as the response to its creation has it.' }),
);

export const NewPlant = named(
  'NewPlant',
  t.Object(plantMembers, {
    ...extensible,
    description: 'A plant to create, with the id that the client chooses. Unknown members are ignored.',
  }),
);

export const PlantRecord = named(
  'PlantRecord',
  t.Intersect([NewPlant, t.Object({ ...times, picture: t.Optional({ ...Picture, readOnly: true }) })], {
    ...closedComposition,
    description:
      'A stored plant with its times, and what is known of its picture if it has one. Every record is also a valid Plant and a valid NewPlant.',
  }),
);

/** One plant of an import. It has times if it comes from an export. */
export const ImportedPlant = named(
  'ImportedPlant',
  t.Object(
    { ...plantMembers, ...t.Partial(t.Object(times)).properties },
    { ...extensible, description: 'A plant of a file. Its times are those of an export. Unknown members are ignored.' },
  ),
);

export const PlantPatch = named(
  'PlantPatch',
  t.Object(
    {
      id: t.Optional(
        t.Int64({
          description:
            'If sent, it must equal the id in the path. So a path with the id of another plant, to which a client has rounded it, is refused.',
          examples: [monstera.id],
          error: 'must equal the id in the path',
        }),
      ),
      name: t.Optional(name),
      tag: t.Optional(
        t.OrNull(tag, {
          description: 'The new tag; null removes it.',
          examples: [monstera.tag, null],
          error: `must be null or a string of at most ${tagLengthMax} characters, without U+0000 or lone surrogates`,
        }),
      ),
    } satisfies Record<keyof domain.NewPlant, TSchema>,
    { ...extensible, description: 'The members to update. Unknown members are ignored.' },
  ),
);

export const PlantPath = t.Object({
  id: t.CanonicalInt64({
    description: 'Identification number of the plant, in canonical decimal form',
    examples: ofEachPatch(monstera.id),
    error: invalidPathId.message,
  }),
});

/** There is no index for such a list. */
const scanning = (page: string, plants: string) =>
  `${page} has those among the next ${plants}, perhaps none, and \`Link\` has the next page.`;
const [byId, byTime] = [scannedByIdMax, scannedByTimeMax].map(withCommas);

export const PlantListQuery = query({
  limit: limitOf('plants'),
  after: t.Optional(
    t.String({
      description: 'Opaque cursor from a `Link` header. It is valid with the same `sort`. If empty, it is ignored.',
      examples: [cursorAfterMoss],
      error: 'must be a cursor',
    }),
  ),
  sort: t.Optional({
    ...t.Enumeration({
      words: listOrders,
      description: `Order of the list: by id, by time of creation and then by id, or by name (its code points) and then by id; with \`-\` descending. The default is \`id\`. There is no index by name: if more than ${withCommas(namedPlantsMax)} plants fit the filters, or \`name\` or \`search\` would look at more than ${withCommas(searchedPlantsMax)}, an order by name gets 400 (40002).`,
      error: `must be one of ${listOrders.join(', ')}`,
    }),
    examples: ['id'],
  }),
  name: t.Optional(
    t.StorableText({
      maxLength: nameLengthMax,
      description: `Only plants whose name begins with this text: with the same code points, in the same case. No character is a wildcard. If empty, it is ignored. ${scanning('A page', `${byId} plants by id, or ${byTime} by time`)} There is no \`X-Total-Count\`.`,
      examples: [monstera.name.slice(0, 1)],
      error: `must be a string of at most ${nameLengthMax} characters, without U+0000`,
    }),
  ),
  search: t.Optional(
    t.StorableText({
      maxLength: nameLengthMax,
      description:
        'Only plants whose name contains this text, with A to Z in any case. No character is a wildcard. If empty, it is ignored. Pages are as with `name`.',
      examples: [monstera.name.slice(1, 4)],
      error: `must be a string of at most ${nameLengthMax} characters, without U+0000`,
    }),
  ),
  tag: t.Optional(
    t.TextList({
      maxItems: tagsMax,
      maxLength: tagLengthMax,
      description: `Only plants with exactly this tag. It can be repeated, such as \`tag=a&tag=b\`, for plants with one of at most ${tagsMax} different tags. A comma is a part of the tag. An empty tag differs from no tag. ${scanning('In an order by time, a page', `${byTime} plants`)}`,
      examples: [[monstera.tag]],
      error: `must be at most ${tagsMax} different strings of at most ${tagLengthMax} characters, without U+0000`,
    }),
  ),
  count: countParameter,
});
