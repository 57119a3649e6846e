/** Pictures of 24 by 16 pixels, which Pillow has written. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readPicture } from '../../../src/pictures/file.ts';
import type { PictureType } from '../../../src/plants/plant.ts';

export const readBytes = (name: string): Buffer<ArrayBuffer> =>
  Buffer.from(readFileSync(join(import.meta.dirname, name)));

const types: Readonly<Record<string, PictureType>> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };

export const typeOf = (name: string): PictureType => types[name.slice(name.lastIndexOf('.') + 1)] ?? 'image/png';

export const fileOf = (name: string) => readPicture(typeOf(name), readBytes(name));

const boundary = 'boundary-of-a-test';

/** The headers of a part of a form, and its content. */
export type FormPart = readonly [headers: string, content: Uint8Array | string];

/** A form of these parts, with a boundary. */
export const formOf = (...parts: readonly FormPart[]) => ({
  contentType: `multipart/form-data; boundary=${boundary}`,
  body: Buffer.concat([
    ...parts.flatMap(([headers, content]) => [
      Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]) as Buffer<ArrayBuffer>,
});

/** The headers of the part with the picture. */
export const partOf = (type: string, name = 'picture'): string =>
  `Content-Disposition: form-data; name="${name}"; filename="leaf"\r\nContent-Type: ${type}`;

/** A body for each media type of a picture. */
export const filesByType: Readonly<Record<string, { contentType: string; body: Buffer<ArrayBuffer> }>> = {
  'image/png': { contentType: 'image/png', body: readBytes('leaf.png') },
  'image/jpeg': { contentType: 'image/jpeg', body: readBytes('leaf.jpg') },
  'image/webp': { contentType: 'image/webp', body: readBytes('leaf.webp') },
  'multipart/form-data': formOf([partOf('image/png'), readBytes('leaf.png')]),
};

/** The PNG with another size in its header. */
export const pngOfSize = (width: number, height: number): Buffer<ArrayBuffer> => {
  const bytes = readBytes('leaf.png');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
};

/** For a picture that has every byte. */
export const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** The PNG with a chunk of text before its end, which repeats the text, so that it has this many bytes. */
export const pngOfBytes = (length: number, text: string | Uint8Array = 'a'): Buffer<ArrayBuffer> => {
  const png = readBytes('leaf.png');
  const end = png.length - 12;
  const content = Buffer.concat([Buffer.from('tEXt'), Buffer.alloc(length - png.length - 12, text)]);
  const [head, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  head.writeUInt32BE(content.length - 4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([png.subarray(0, end), head, content, checksum, png.subarray(end)]);
};

/** The JPEG with a comment after its start. */
const jpegWith = (text: Buffer): Buffer<ArrayBuffer> => {
  const jpeg = readBytes('leaf.jpg');
  const head = Buffer.from([0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(text.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, text, jpeg.subarray(2)]);
};

/** A picture that differs from that of every other number: PNG and JPEG in turns, of up to 40 KB that cannot be compressed. */
export const pictureOf = (n: number) => {
  const length = 16 + ((n * 7919) % 40_000);
  const text = createHash('shake256', { outputLength: length }).update(`${n}`).digest();
  return n % 2 === 0
    ? readPicture('image/png', pngOfBytes(readBytes('leaf.png').length + 12 + length, text))
    : readPicture('image/jpeg', jpegWith(text));
};
