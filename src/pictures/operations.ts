import {
  AppError,
  brokenForm,
  brokenPicture,
  emptyBody,
  noBoundary,
  noPicture,
  noPlant,
  otherFormat,
  otherMediaType,
  otherPart,
  pastPicture,
  pictureBytesMax,
  pictureChanged,
  pictureGoesOn,
  pictureKnown,
  pictureTooLarge,
  tooManyUnread,
  tooManyUploads,
} from '../base/app-error.ts';
import { etagOf, isKnown, preconditionsIn } from '../http/conditional.ts';
import { positionIn } from '../http/log-position.ts';
import { preferredType } from '../http/media-type.ts';
import { operation } from '../http/operation.ts';
import type { RequestHeaders } from '../http/parameters.ts';
import { beginParts, respond } from '../http/responder.ts';
import { type PictureType, pictureTypes } from '../plants/plant.ts';
import { PlantPath } from '../plants/schemas.ts';
import type { PlantStore } from '../plants/store.ts';
import { missingPart, repeatedPart } from './form.ts';
import { badSize, expectPicture, type PictureFile, pictureSideMax, versionOfPicture } from './picture.ts';
import { rangeIn } from './range.ts';
import { GetHeaders, IfMatch, PictureWithContent, PutHeaders, rawPicture } from './schemas.ts';
import type { PictureStore } from './store.ts';
import { createReceiver, upload } from './upload.ts';

interface Needs {
  readonly pictures: PictureStore;
  readonly position?: () => bigint;
}

export const putPicture = operation({
  route: 'PUT /plants/{id}/picture',
  tag: 'pictures',
  summary: 'Put a picture',
  description: `Gives the plant a picture, in the place of an earlier one: a PNG, JPEG or WebP of at most ${pictureBytesMax / 1024 ** 2} MiB, and at most ${pictureSideMax} pixels a side. It is the body as it is, or the part \`picture\` of a form. It is read to its end, so what is incomplete, goes on after its end, or is in another format than its Content-Type says is refused. Nothing in it is changed: it can tell where and when it was taken. The same bytes again change nothing.`,
  scope: 'plants:write',
  parameters: { path: PlantPath, headers: PutHeaders },
  upload,
  responses: {
    201: { description: 'The plant has its first picture.', headers: { ETag: '', 'X-Log-Position': undefined } },
    204: { description: 'The plant has this picture.', headers: { ETag: '', 'X-Log-Position': undefined } },
  },
  failures: [
    brokenPicture,
    pictureGoesOn,
    emptyBody,
    brokenForm,
    badSize,
    missingPart,
    repeatedPart,
    noPlant,
    noPicture,
    pictureChanged,
    pictureKnown,
    pictureTooLarge,
    otherMediaType(Object.keys(upload.contents)),
    otherFormat,
    otherPart(pictureTypes),
    noBoundary,
    tooManyUploads,
  ],
  handler: ({ pictures, position }: Needs) => {
    const receive = createReceiver();
    return ({ params: { id }, headers, request }) =>
      receive(request, headers, async (file) => {
        const isNew = await pictures.put(BigInt(id), file, preconditionsIn(headers));
        const etag = etagOf(versionOfPicture(file.picture));
        return new Response(null, { status: isNew ? 201 : 204, headers: { etag, ...positionIn(position) } });
      });
  },
});

/** A browser asks each time, takes the type as it is, and neither runs nor loads anything. */
const guarded = {
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  vary: 'accept',
};

const extensions: Readonly<Record<PictureType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

export const getPicture = operation({
  route: 'GET /plants/{id}/picture',
  tag: 'pictures',
  summary: 'Get a picture',
  description:
    'Returns the bytes of the picture. With `Accept: application/json`, it returns what is known of the picture, and the bytes in base64. A client that has a version of the bytes sends its `ETag` as `If-None-Match`, and gets 304 while the picture is the same. `Range` gets a part of the bytes.',
  scope: 'plants:read',
  parameters: { path: PlantPath, headers: GetHeaders },
  responses: {
    200: {
      description: 'The picture.',
      headers: {},
      schema: rawPicture('image/png'),
      mediaType: 'image/png',
      alternatives: [
        { mediaType: 'image/jpeg', schema: rawPicture('image/jpeg'), examples: {} },
        { mediaType: 'image/webp', schema: rawPicture('image/webp'), examples: {} },
        { mediaType: 'application/json', schema: PictureWithContent, examples: {} },
      ],
    },
    206: { description: 'A part of the picture.', headers: {} },
    304: { description: 'The picture has not changed: `If-None-Match` matches its version.', headers: {} },
  },
  failures: [noPlant, noPicture, pastPicture, tooManyUnread],
  handler:
    ({ pictures, plants }: { readonly pictures: PictureStore; readonly plants: PlantStore }) =>
    async ({ params: { id }, headers, request }) => {
      const known = expectPicture(await plants.get(BigInt(id)));
      const isJson = preferredType(request.headers, [known.type, 'application/json']) === 'application/json';
      if (!isJson && isKnown(headers, versionOfPicture(known)))
        return new Response(null, { status: 304, headers: { ...guarded, etag: etagOf(versionOfPicture(known)) } });
      // The bytes count from before they are read.
      const parts = beginParts();
      let file: PictureFile | undefined;
      try {
        parts.count({ length: known.bytes });
        file = await pictures.get(BigInt(id));
      } finally {
        parts.end();
      }
      if (!file) throw new AppError(noPicture);
      return isJson ? respondWithJson(file) : respondWithBytes(file, id, request.method, headers);
    },
});

const respondWithJson = ({ picture, content }: PictureFile): Response => {
  const json = JSON.stringify({ ...picture, content: Buffer.from(content).toString('base64') });
  return respond([Buffer.from(json)], { ...guarded, 'content-type': 'application/json' });
};

const respondWithBytes = (
  { picture, content }: PictureFile,
  id: string,
  method: string,
  headers: RequestHeaders,
): Response => {
  const { type, bytes } = picture;
  const etag = etagOf(versionOfPicture(picture));
  const common = {
    ...guarded,
    etag,
    'accept-ranges': 'bytes',
    'content-type': type,
    'content-disposition': `inline; filename="plant${id}.${extensions[type]}"`,
  };
  const isSame = [undefined, etag].includes(headers['if-range']);
  const range = method === 'GET' && isSame ? rangeIn(headers['range'], bytes) : undefined;
  if (range === 'outside') throw new AppError(pastPicture, { bytes });
  if (!range) return respond([content], common);
  const { start, end } = range;
  const part = { ...common, 'content-range': `bytes ${start}-${end - 1}/${bytes}` };
  return respond([content.subarray(start, end)], part, 206);
};

export const deletePicture = operation({
  route: 'DELETE /plants/{id}/picture',
  tag: 'pictures',
  summary: 'Delete a picture',
  description:
    'Deletes the picture of the plant. A second deletion gets 404. The deletion of a plant deletes its picture.',
  scope: 'plants:write',
  parameters: { path: PlantPath, headers: IfMatch },
  responses: { 204: { description: 'The picture is deleted.', headers: { 'X-Log-Position': undefined } } },
  failures: [noPlant, noPicture, pictureChanged],
  handler:
    ({ pictures, position }: Needs) =>
    async ({ params: { id }, headers }) => {
      await pictures.delete(BigInt(id), preconditionsIn(headers));
      return new Response(null, { status: 204, headers: positionIn(position) });
    },
});
