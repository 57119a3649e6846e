/** How a picture is made to fit the limits of the service, in numbers. */

export const pictureBytesMax = 1024 * 1024;
export const pictureSideMax = 8192;
export const pictureTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Telephones have no larger canvas. */
const drawnPixelsMax = 4096 * 4096;

/** Those of a photo that has too many bytes: with more pixels it still has too many, and each attempt stops the page for seconds. */
const shrunkPixelsMax = 4_000_000;

/** Whether a file can be sent as it is. */
export const isSendable = ({ type, size }: Pick<Blob, 'type' | 'size'>, { width, height }: Size): boolean =>
  pictureTypes.includes(type) && size <= pictureBytesMax && Math.max(width, height) <= pictureSideMax;

/** The size in which a picture of so many bytes is drawn first. */
export const sizeToDraw = (size: Size, bytes: number): Size =>
  scale(
    size,
    Math.min(
      1,
      pictureSideMax / Math.max(size.width, size.height),
      Math.sqrt((bytes > pictureBytesMax ? shrunkPixelsMax : drawnPixelsMax) / (size.width * size.height)),
    ),
  );

/** The next size to try, if the picture has so many bytes in this one. */
export const smaller = (size: Size, bytes: number): Size =>
  scale(size, Math.min(0.9, 0.95 * Math.sqrt(pictureBytesMax / bytes)));

const scale = ({ width, height }: Size, factor: number): Size => ({
  width: Math.max(1, Math.floor(width * factor)),
  height: Math.max(1, Math.floor(height * factor)),
});

type Named = Pick<File, 'name' | 'type'>;

/** Not all browsers know the type of a file. */
const is = (type: RegExp, extension: RegExp, file: Named): boolean => type.test(file.type) || extension.test(file.name);

/** Why the browser cannot read a file as a picture, and what helps. */
export const reasonFor = (file: Named): string => {
  if (is(/^image\/svg/, /\.svgz?$/i, file))
    return 'An SVG can contain scripts, so it is no picture here. Save it as PNG.';
  if (is(/^image\/hei[cf]/, /\.hei[cf]$/i, file))
    return 'This browser cannot read HEIC. Save the picture as JPEG, or set the camera to the most compatible format.';
  return 'The browser cannot read this file as a picture. Choose a PNG, JPEG or WebP.';
};
