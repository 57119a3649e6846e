import { failure, pictureBytesMax } from '../base/app-error.ts';
import { pictureTypes } from '../plants/plant.ts';

const malformedBody = failure('malformed_body');
export const brokenPicture = malformedBody('The picture is incomplete or damaged.');
export const pictureGoesOn = malformedBody('The picture has data after its end.');
export const brokenForm = malformedBody('The form is incomplete or malformed.');

export const noPicture = failure('not_found')('The plant has no picture.');

const preconditionFailed = failure('precondition_failed');
export const pictureChanged = preconditionFailed(
  'The header If-Match does not match the current version of the picture.',
);
export const pictureKnown = preconditionFailed('The header If-None-Match matches the current version of the picture.');

export const pictureTooLarge = failure('body_too_large')(`The picture is larger than ${pictureBytesMax} bytes.`);

const unsupportedMediaType = failure('unsupported_media_type');
export const otherFormat = unsupportedMediaType('The picture is not in the format of its Content-Type.');
export const otherPart = unsupportedMediaType(
  `The part picture must be a file of the type ${pictureTypes.join(' or ')}.`,
);
export const noBoundary = unsupportedMediaType('A multipart Content-Type must have a boundary of 1 to 70 characters.');

export const pastPicture = failure('range_not_satisfiable')('The range begins after the end of the picture.');

export const tooManyUploads = failure('unavailable')('Too many pictures are being uploaded; nothing was changed.');
