import { etagOf } from '../http/conditional.ts';
import { closed, extensible, named, t } from '../http/schema.ts';
import { condition } from '../plants/conditions.ts';
import { type PictureType, pictureTypes } from '../plants/plant.ts';
import { pictureOfMonstera } from '../plants/sample.ts';
import { pictureMembers } from '../plants/schemas.ts';
import { versionOfPicture } from './picture.ts';

/** A file as it is. It has no `type`: JSON has no bytes. */
export const rawPicture = (contentMediaType: PictureType) => t.Unsafe<Blob>({ contentMediaType });

export const PictureForm = named(
  'PictureForm',
  t.Object(
    {
      picture: t.Unsafe<Blob>({
        description: `The file, with the Content-Type ${pictureTypes.join(' or ')}, or without one`,
      }),
    },
    { ...extensible, description: 'A form with a picture. Other parts are ignored.' },
  ),
);

export const PictureWithContent = named(
  'PictureWithContent',
  t.Object(
    {
      ...pictureMembers,
      content: t.Unsafe<string>({
        type: 'string',
        contentMediaType: 'application/octet-stream',
        contentEncoding: 'base64',
        description: 'The bytes of the picture, of the media type in `type`',
        readOnly: true,
      }),
    },
    { ...closed, description: 'What is known of a picture, and its bytes.' },
  ),
);

const anyVersion = { demo: '*' };
/** The version of no picture. */
const unknown = 'AAAAAAAAAAAAAAAA';

/** Of a picture. A change of a picture takes both. */
export const IfMatch = condition(
  'If-Match',
  'Entity tags, one of which must match the current version of the picture by strong comparison, or `*` for any version. A weak entity tag never matches. Without a picture, it gets 404.',
  anyVersion,
);

const IfNew = condition(
  'If-None-Match',
  '`*` to put only the first picture of a plant, or entity tags of versions that must not be replaced.',
  { demo: etagOf(unknown), first: '*' },
);

export const PutHeaders = t.Object({ ...IfMatch.properties, ...IfNew.properties });

export const GetHeaders = t.Object({
  ...condition(
    'If-None-Match',
    'Entity tags of the versions that the client has, by weak comparison, or `*` for any version.',
    { demo: etagOf(unknown), current: etagOf(versionOfPicture(pictureOfMonstera)) },
  ).properties,
  Range: t.Optional(
    t.String({
      description:
        'The part of the bytes to get, such as `bytes=0-99`, `bytes=100-` or `bytes=-100` (RFC 9110 §14). Several parts, other units and invalid ranges are ignored.',
      examples: { demo: 'bytes=0-' },
    }),
  ),
  'If-Range': t.Optional(
    t.String({
      description:
        'The entity tag of the version that the client has a part of. If there is another one, `Range` is ignored.',
      examples: { demo: etagOf(unknown) },
    }),
  ),
});
