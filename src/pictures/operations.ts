import { AppError, emptyBody, noPlant, otherMediaType, pictureBytesMax } from '../base/app-error.ts';
import { etagOf, isKnown, preconditionsIn } from '../http/conditional.ts';
import { positionIn } from '../http/log-position.ts';
import { preferredType } from '../http/media-type.ts';
import { operation } from '../http/operation.ts';
import { type Bytes, beginParts, respondWhole } from '../http/responder.ts';
import type { Picture, PictureType } from '../plants/plant.ts';
import { monstera } from '../plants/sample.ts';
import { PlantPath } from '../plants/schemas.ts';
import type { PlantStore } from '../plants/store.ts';
import type { HttpServer } from '../runtime/runtime.ts';
import {
  brokenForm,
  brokenPicture,
  noBoundary,
  noPicture,
  otherFormat,
  otherPart,
  pastPicture,
  pictureChanged,
  pictureGoesOn,
  pictureKnown,
  pictureTooLarge,
  tooManyUploads,
} from './failures.ts';
import { badSize, pictureSideMax } from './file.ts';
import { missingPart, repeatedPart } from './form.ts';
import { expectPicture, type PictureFile, versionOfJson, versionOfPicture } from './picture.ts';
import { rangeIn } from './range.ts';
import { toJson, toJsonBytes } from './representation.ts';
import { fileOfMonstera } from './sample.ts';
import { GetHeaders, IfMatch, PictureWithContent, PutHeaders, rawPicture } from './schemas.ts';
import type { PictureStore } from './store.ts';
import { createReceiver, upload } from './upload.ts';

const { picture, content } = fileOfMonstera;
const etag = etagOf(versionOfPicture(picture));

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
    201: { description: 'The plant has its first picture.', headers: { ETag: etag, 'X-Log-Position': undefined } },
    204: { description: 'The plant has this picture.', headers: { ETag: etag, 'X-Log-Position': undefined } },
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
    otherPart,
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
const headersOfAll = {
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
};

const extensions: Readonly<Record<PictureType | 'application/json', string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/json': 'json',
};

/** The headers of one form of a picture: of its bytes, or of the JSON. */
const headersOf = (id: string | bigint, picture: Picture, form: PictureType | 'application/json') => ({
  ...headersOfAll,
  'Accept-Ranges': form === picture.type ? 'bytes' : 'none',
  'Content-Disposition': `inline; filename="plant${id}.${extensions[form]}"`,
  ETag: etagOf(form === picture.type ? versionOfPicture(picture) : versionOfJson(picture)),
});

const otherTypes = (['image/jpeg', 'image/webp'] as const).map((mediaType) => ({
  mediaType,
  schema: rawPicture(mediaType),
  examples: {},
}));

const exampleHeaders = { ...headersOf(monstera.id, picture, picture.type), 'Content-Length': undefined };

interface NeedsToGet extends Pick<HttpServer, 'isPending'> {
  readonly pictures: PictureStore;
  readonly plants: PlantStore;
}

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
      headers: exampleHeaders,
      schema: rawPicture('image/png'),
      mediaType: 'image/png',
      examples: { monstera: { value: content } },
      alternatives: [
        ...otherTypes,
        {
          mediaType: 'application/json',
          schema: PictureWithContent,
          examples: { monstera: { summary: 'The picture in base64', value: toJson(fileOfMonstera) } },
        },
      ],
    },
    206: {
      description: 'The part of the picture that `Range` selects.',
      headers: { ...exampleHeaders, 'Content-Range': `bytes 0-${content.length - 1}/${content.length}` },
      schema: rawPicture('image/png'),
      mediaType: 'image/png',
      examples: { monstera: { value: content } },
      alternatives: otherTypes,
    },
    304: {
      description: 'The picture has not changed: `If-None-Match` matches its version.',
      headers: { ETag: etag, ...headersOfAll },
    },
  },
  failures: [noPlant, noPicture, pastPicture],
  handler:
    ({ pictures, plants, isPending }: NeedsToGet) =>
    async ({ params: { id }, headers, request }) => {
      /** The form of a picture that the client prefers, and its headers. */
      const preferredOf = (picture: Picture) => {
        const form = preferredType(request.headers, [picture.type, 'application/json']);
        const headers = { ...headersOf(id, picture, form), 'content-type': form, vary: 'accept' };
        return { isJson: form === 'application/json', headers };
      };
      const known = expectPicture(await plants.get(BigInt(id)));
      const preferred = preferredOf(known);
      const { ETag: etag } = preferred.headers;
      if (isKnown(headers, etag.slice(1, -1)))
        return new Response(null, { status: 304, headers: { ...headersOfAll, etag, vary: 'accept' } });
      if (request.method === 'HEAD' && !preferred.isJson)
        return new Response(null, { headers: { ...preferred.headers, 'content-length': `${known.bytes}` } });
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
      // It may be another one by now, of another type.
      const { picture, content } = file;
      const current = preferredOf(picture);
      const send = (body: Bytes, status?: 206, more?: { readonly 'content-range': string }) => {
        const own = { ...current.headers, 'content-length': `${body.length}`, ...more };
        return respondWhole(body, own, () => isPending(request), status);
      };
      if (current.isJson) return send(toJsonBytes(file));
      const isSame = [undefined, current.headers.ETag].includes(headers['if-range']);
      const range = isSame ? rangeIn(headers['range'], picture.bytes) : undefined;
      if (range === 'outside') throw new AppError(pastPicture, { bytes: picture.bytes });
      if (!range) return send(content);
      const { start, end } = range;
      return send(content.subarray(start, end), 206, { 'content-range': `bytes ${start}-${end - 1}/${picture.bytes}` });
    },
});

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
