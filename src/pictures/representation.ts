import type { Bytes } from '../http/responder.ts';
import type { PictureFile } from './picture.ts';

/** A picture as JSON: what is known of it, and its bytes in base64. */
export const toJson = ({ picture, content }: PictureFile) => ({
  ...picture,
  content: Buffer.from(content).toString('base64'),
});

const base64End = '"}';
/** A multiple of 3, so that the base64 of the pieces is that of the whole. */
const base64PieceBytes = 48 * 1024;

/** The JSON as bytes, encoded in pieces: the texts of a large picture would be garbage of three times its size for each reader. */
export const toJsonBytes = ({ picture, content }: PictureFile): Bytes => {
  const text = JSON.stringify(toJson({ picture, content: new Uint8Array() }));
  const json = Buffer.alloc(text.length + 4 * Math.ceil(content.length / 3));
  let at = json.write(text.slice(0, -base64End.length), 'latin1');
  for (let start = 0; start < content.length; start += base64PieceBytes)
    at += json.write(Buffer.from(content.subarray(start, start + base64PieceBytes)).toString('base64'), at, 'latin1');
  json.write(base64End, at, 'latin1');
  return json;
};
