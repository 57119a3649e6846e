/** Receives pictures. Their bytes are in memory from their arrival to the end of the transaction, and all of a process together are limited. */
import { AppError, emptyBody, pictureBytesMax } from '../base/app-error.ts';
import { parseMediaType } from '../http/media-type.ts';
import type { RequestHeaders } from '../http/parameters.ts';
import { openUpload, type Upload } from '../http/upload.ts';
import { pictureTypes } from '../plants/plant.ts';
import { pictureTooLarge, tooManyUploads } from './failures.ts';
import { readPicture } from './file.ts';
import { formBytesMax, formType, readForm } from './form.ts';
import type { PictureFile } from './picture.ts';
import { PictureForm, rawPicture } from './schemas.ts';

/** @limit Requests | Pictures that are being uploaded, in total | 503 */
export const heldBytesMax = 64 * 1024 * 1024;

export const upload = {
  description: 'The picture, as it is or in a form',
  bytesMax: pictureBytesMax + formBytesMax,
  tooLarge: pictureTooLarge,
  contents: {
    'image/png': { schema: rawPicture('image/png'), examples: {} },
    'image/jpeg': { schema: rawPicture('image/jpeg'), examples: {} },
    'image/webp': { schema: rawPicture('image/webp'), examples: {} },
    [formType]: {
      schema: PictureForm,
      examples: {},
      encoding: { picture: { contentType: pictureTypes.join(', ') } },
    },
  },
} satisfies Upload;

export type Receive = ReturnType<typeof createReceiver>;

/** Returns a function that calls `use` with the picture in a request, and resolves to its result. It rejects with AppError. */
export const createReceiver = () => {
  let heldBytes = 0;

  return async <Result>(
    request: Request,
    headers: RequestHeaders,
    use: (file: PictureFile) => Promise<Result>,
  ): Promise<Result> => {
    const body = openUpload(request, upload);
    let ownBytes = 0;
    try {
      const pieces: Buffer[] = [];
      for await (const piece of body.pieces()) {
        ownBytes += piece.length;
        heldBytes += piece.length;
        if (heldBytes > heldBytesMax) throw new AppError(tooManyUploads);
        pieces.push(piece);
      }
      return await use(readFile(headers, Buffer.concat(pieces)));
    } finally {
      heldBytes -= ownBytes;
    }
  };
};

/** The media type is one of `upload`. */
const readFile = (headers: RequestHeaders, body: Buffer<ArrayBuffer>): PictureFile => {
  if (body.length === 0) throw new AppError(emptyBody);
  const { essence, boundaries = [] } = parseMediaType(headers['content-type'] ?? '') ?? {};
  const raw = pictureTypes.find((type) => type === essence);
  const { type, content } = raw ? { type: raw, content: body } : readForm(boundaries, body);
  return readPicture(type, content);
};
