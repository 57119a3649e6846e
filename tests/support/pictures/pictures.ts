/** Pictures of 24 by 16 pixels, which Pillow has written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPicture } from '../../../src/pictures/picture.ts';
import type { PictureType } from '../../../src/plants/plant.ts';

export const readBytes = (name: string): Buffer<ArrayBuffer> =>
  Buffer.from(readFileSync(join(import.meta.dirname, name)));

const types: Readonly<Record<string, PictureType>> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };

export const typeOf = (name: string): PictureType => types[name.slice(name.lastIndexOf('.') + 1)] ?? 'image/png';

export const fileOf = (name: string) => readPicture(typeOf(name), readBytes(name));
