import type { PictureFile } from './picture.ts';

/** A row of `pictures`, with the `picture` of its plant. */
interface PictureRow {
  readonly picture: string | null;
  readonly content: Uint8Array;
}

/** Nothing if the plant has no picture any more. */
export const toPictureFile = ({ picture, content }: PictureRow): PictureFile[] =>
  picture === null ? [] : [{ picture: JSON.parse(picture), content: new Uint8Array(content) }];
