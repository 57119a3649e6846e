import sample from '../plants/monstera.json' with { type: 'json' };
import { pictureOfMonstera } from '../plants/sample.ts';
import type { PictureFile } from './picture.ts';

/** `docs/pages/sample-picture.ts` draws it. `openapi/monstera.png` is its file. */
export const fileOfMonstera: PictureFile = {
  picture: pictureOfMonstera,
  content: Buffer.from(sample.content, 'base64'),
};
