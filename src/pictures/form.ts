/** A form with a picture (`multipart/form-data`, RFC 7578), as browsers, Postman and `curl -F` send it. */
import { MaxFileSizeExceededError, type MultipartPart, parseMultipart } from '@remix-run/multipart-parser';
import { AppError, pictureBytesMax } from '../base/app-error.ts';
import { isOneOf } from '../base/text.ts';
import { type Fault, invalidMembers, missing } from '../http/faults.ts';
import { parseMediaType } from '../http/media-type.ts';
import { pictureTypes } from '../plants/plant.ts';
import { brokenForm, noBoundary, otherPart, pictureTooLarge } from './failures.ts';
import { typeOf } from './file.ts';

export const formType = 'multipart/form-data';

/** For the headers of the parts, and for other parts, which are ignored. */
export const formBytesMax = 16 * 1024;

/** @limit Pictures | Parts of a form | 400 */
export const partsMax = 16;

const picturePart: Fault = { name: 'picture', rule: 'must be one part of the form, with a file' };
export const missingPart = invalidMembers(missing(picturePart));
export const repeatedPart = invalidMembers(picturePart);

/** The file in a form, whose Content-Type has these boundaries. Throws AppError. */
export const readForm = (boundaries: readonly string[], body: Buffer) => {
  const [boundary = ''] = boundaries;
  if (boundaries.length !== 1 || !boundaryForm.test(boundary)) throw new AppError(noBoundary);
  const [part, ...others] = partsIn(body, boundary).filter(({ name }) => name === picturePart.name);
  if (!part) throw new AppError(missingPart);
  if (others.length > 0) throw new AppError(repeatedPart);
  const type = isUntyped(part.type) ? typeOf(part.content) : pictureTypes.find((one) => one === part.type);
  if (!type) throw new AppError(otherPart);
  return { type, content: part.content };
};

/** What clients send that do not know the type of a file. Its first bytes tell it. */
const isUntyped = isOneOf(['', 'application/octet-stream']);

/** RFC 2046 §5.1.1: it does not end with a space. */
const boundaryForm = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;

const partsIn = (body: Buffer, boundary: string) => {
  try {
    const limits = { maxFileSize: pictureBytesMax, maxParts: partsMax, maxHeaderSize: formBytesMax };
    return [...parseMultipart(body, { boundary, ...limits })].map(toPart);
  } catch (cause) {
    throw new AppError(cause instanceof MaxFileSizeExceededError ? pictureTooLarge : brokenForm, { cause });
  }
};

const toPart = (part: MultipartPart) => ({
  name: part.name,
  type: parseMediaType(part.headers['content-type'] ?? '')?.essence ?? '',
  content: Buffer.from(part.arrayBuffer),
});
