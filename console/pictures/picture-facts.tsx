/** What is known of a picture, to read. */
import type { Picture } from './pictures.ts';

export const PictureFacts = ({ picture: { type, width, height, bytes } }: { readonly picture: Picture }) => (
  <span class="quiet">
    {type.replace('image/', '').toUpperCase()}, {width} × {height} pixels, {sizeOf(bytes)}
  </span>
);

const sizeOf = (bytes: number): string => (bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KiB`);
