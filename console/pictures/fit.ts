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

/** Whether a file can be sent as it is. */
export const isSendable = ({ type, size }: Pick<Blob, 'type' | 'size'>, { width, height }: Size): boolean =>
  pictureTypes.includes(type) && size <= pictureBytesMax && Math.max(width, height) <= pictureSideMax;

/** The largest size in which a picture of this size can be drawn. */
export const sizeToDraw = (size: Size): Size =>
  scale(
    size,
    Math.min(
      1,
      pictureSideMax / Math.max(size.width, size.height),
      Math.sqrt(drawnPixelsMax / (size.width * size.height)),
    ),
  );

/** The next size to try, if the picture has so many bytes in this one. */
export const smaller = (size: Size, bytes: number): Size =>
  scale(size, Math.min(0.9, 0.95 * Math.sqrt(pictureBytesMax / bytes)));

const scale = ({ width, height }: Size, factor: number): Size => ({
  width: Math.max(1, Math.floor(width * factor)),
  height: Math.max(1, Math.floor(height * factor)),
});
