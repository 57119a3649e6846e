/** Makes a file that the user has chosen a picture that the service takes. */
import { Problem } from '../api/problem.ts';
import { isSendable, pictureBytesMax, reasonFor, type Size, sizeToDraw, smaller } from './fit.ts';

/**
 * The file as it is, if it fits and `isBare` is false. Otherwise it is drawn again: in another format, smaller if it must be, and without
 * metadata. Throws Problem for what the browser cannot read.
 */
export const preparePicture = async (file: File, isBare: boolean): Promise<Blob> => {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Problem({ status: 400, message: reasonFor(file) });
  });
  try {
    if (!isBare && isSendable(file, bitmap)) return file;
    let size = sizeToDraw(bitmap, file.size);
    for (;;) {
      const drawn = await encode(draw(bitmap, size));
      if (drawn.size <= pictureBytesMax) return drawn;
      size = smaller(size, drawn.size);
    }
  } finally {
    bitmap.close();
  }
};

const draw = (bitmap: ImageBitmap, { width, height }: Size): HTMLCanvasElement => {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, width, height);
  return canvas;
};

/** As WebP, which keeps what is transparent; browsers that write none, such as Safari, get JPEG, on white. */
const encode = async (canvas: HTMLCanvasElement): Promise<Blob> => {
  const webp = await toBlob(canvas, 'image/webp');
  if (webp.type === 'image/webp') return webp;
  const context = canvas.getContext('2d');
  if (context) {
    context.globalCompositeOperation = 'destination-over';
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  return toBlob(canvas, 'image/jpeg');
};

const quality = 0.85;

const toBlob = (canvas: HTMLCanvasElement, type: string): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) =>
        blob ? resolve(blob) : reject(new Problem({ status: 400, message: 'The browser cannot draw this picture.' })),
      type,
      quality,
    ),
  );
