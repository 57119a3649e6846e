import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { pictureBytesMax } from '../../src/base/app-error.ts';
import { pictureSideMax, readPicture } from '../../src/pictures/file.ts';
import { fileOf, pngOfBytes, pngOfSize, readBytes, typeOf } from '../support/pictures/pictures.ts';

const names = readdirSync(`${import.meta.dirname}/../support/pictures`).filter((name) => !name.endsWith('.ts'));
const [png, jpg, webp] = ['leaf.png', 'leaf.jpg', 'leaf.webp'].map(readBytes) as [Buffer, Buffer, Buffer];
const read = (name: string, bytes: Buffer) => () => readPicture(typeOf(name), Buffer.from(bytes));

test.each(names)('%s is read to its end', (name) => {
  const { picture } = fileOf(name);
  const { length } = readBytes(name);
  expect(picture).toMatchObject({ type: typeOf(name), width: 24, height: 16, bytes: length });
});

describe.each(names)('%s', (name) => {
  const bytes = readBytes(name);

  test('is refused at each length that it is cut to', () => {
    for (let length = 0; length < bytes.length; length += 1) expect(read(name, bytes.subarray(0, length))).toThrow();
  });

  test.each(['\0', '<script>', 'PK\x03\x04'])('is refused with %j after its end', (tail) => {
    expect(read(name, Buffer.concat([bytes, Buffer.from(tail)]))).toThrow('after its end');
  });

  test('is refused under the other types', () => {
    for (const other of ['a.png', 'a.jpg', 'a.webp'].filter((other) => typeOf(other) !== typeOf(name)))
      expect(read(other, bytes)).toThrow('not in the format of its Content-Type');
  });
});

test.each(names)('%s with any one byte changed is read, or refused with a reason', (name) => {
  const bytes = readBytes(name);
  for (let at = 0; at < bytes.length; at += 1)
    for (const value of [0, 0x7f, 0xff, (bytes[at] ?? 0) ^ 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = value;
      try {
        read(name, changed)();
      } catch (error) {
        expect(error).toMatchObject({ name: 'AppError' });
      }
    }
});

test.each(['leaf.png', 'camera.png'])('%s with any one byte changed is refused: each chunk has a checksum', (name) => {
  const bytes = readBytes(name);
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (bytes[at] ?? 0) ^ 1;
    expect(read(name, changed)).toThrow();
  }
});

/** The PNG with another first chunk, with its checksum. */
const pngWithHeader = (type: string, content: Buffer): Buffer => {
  const typed = Buffer.concat([Buffer.from(type), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([png.subarray(0, 8), length, typed, checksum, png.subarray(33)]);
};
const pngHeader = png.subarray(16, 29);

/** The place of the segment of the JPEG with this marker. */
const placeOf = (marker: number): number => jpg.indexOf(Buffer.from([0xff, marker]));
const [frame, scan] = [placeOf(0xc0), placeOf(0xda)];
const frameEnd = frame + 2 + jpg.readUInt16BE(frame + 2);
const withMarker = (marker: number): Buffer => {
  const bytes = Buffer.from(jpg);
  bytes[frame + 1] = marker;
  return bytes;
};
const withRestart = (marker: number): Buffer =>
  Buffer.concat([jpg.subarray(0, -2), Buffer.from([0xff, marker]), jpg.subarray(-2)]);

test.each([
  ['a.png', 'its own header', true, pngWithHeader('IHDR', pngHeader)],
  ['a.png', 'a longer header', false, pngWithHeader('IHDR', Buffer.concat([pngHeader, Buffer.alloc(1)]))],
  ['a.png', 'another first chunk', false, pngWithHeader('tEXt', pngHeader)],
  ['a.jpg', 'the frame of extended sequential coding', true, withMarker(0xc1)],
  ['a.jpg', 'the frame of lossless coding, which no browser shows', false, withMarker(0xc3)],
  ['a.jpg', 'two frames', false, Buffer.concat([jpg.subarray(0, frameEnd), jpg.subarray(frame)])],
  ['a.jpg', 'a frame and no scan', false, Buffer.concat([jpg.subarray(0, scan), jpg.subarray(-2)])],
  [
    'a.jpg',
    'a scan before its frame',
    false,
    Buffer.concat([jpg.subarray(0, 2), jpg.subarray(scan, -2), jpg.subarray(frame, frameEnd), jpg.subarray(-2)]),
  ],
  ['a.jpg', 'the first restart marker', true, withRestart(0xd0)],
  ['a.jpg', 'the last restart marker', true, withRestart(0xd7)],
  ['a.jpg', 'a second beginning in its data', false, withRestart(0xd8)],
])('%s with %s is read: %p', (name, _what, isRead, bytes) => {
  const reading = expect(read(name, bytes));
  if (isRead) reading.not.toThrow();
  else reading.toThrow('incomplete or damaged');
});

/** A WebP of these chunks. A chunk of odd length has a byte more. */
const webpOf = (...chunks: readonly (readonly [type: string, content: Buffer])[]): Buffer => {
  const bytes = chunks.map(([type, content]) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(content.length);
    return Buffer.concat([Buffer.from(type), length, content, Buffer.alloc(content.length % 2)]);
  });
  const body = Buffer.concat([Buffer.from('WEBP'), ...bytes]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), length, body]);
};
const vp8 = webp.subarray(20, 20 + webp.readUInt32LE(16));
/** RFC 9649 §2.7.1: flags, three bytes, and the size of the canvas minus one: 24 by 16. */
const canvas = Buffer.from([0, 0, 0, 0, 23, 0, 0, 15, 0, 0]);
/** The two high bits of a width are a scale (RFC 6386 §9.1). */
const scaled = Buffer.from(vp8);
scaled[7] = (vp8[7] ?? 0) | 0xc0;

test.each([
  ['a chunk of odd length before its data', true, webpOf(['VP8X', canvas], ['EXIF', Buffer.from('a')], ['VP8 ', vp8])],
  ['a scale', true, webpOf(['VP8 ', scaled])],
  ['a canvas alone', false, webpOf(['VP8X', canvas])],
  ['data of another kind alone', false, webpOf(['ALPH', vp8])],
])('a WebP with %s is read: %p', (_what, isRead, bytes) => {
  if (isRead) expect(read('a.webp', bytes)().picture).toMatchObject({ width: 24, height: 16 });
  else expect(read('a.webp', bytes)).toThrow('incomplete or damaged');
});

test.each([
  [0, 1, false],
  [1, 0, false],
  [1, 1, true],
  [pictureSideMax, pictureSideMax, true],
  [pictureSideMax + 1, 1, false],
  [1, pictureSideMax + 1, false],
])('a picture of %d by %d pixels is accepted: %p', (width, height, isAccepted) => {
  const reading = expect(read('a.png', pngOfSize(width, height)));
  if (isAccepted) reading.not.toThrow();
  else reading.toThrow('1 to 8192 pixels a side');
});

test('a picture has at most 1 MiB', () => {
  expect(read('a.png', pngOfBytes(pictureBytesMax))().picture.bytes).toBe(1_048_576);
  expect(read('a.png', pngOfBytes(pictureBytesMax + 1))).toThrow('larger than 1048576 bytes');
});

test.each([
  ['a.png', 'HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a.png', 'SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a.png', 'GIF', Buffer.from('GIF89a')],
  ['a.webp', 'a WAVE file', Buffer.concat([webp.subarray(0, 8), Buffer.from('WAVE'), webp.subarray(12)])],
  ['a.jpg', 'HTML with the first bytes of a JPEG', Buffer.from([0xff, 0xd8, 0xff, ...Buffer.from('<html>')])],
  ['a.png', 'HTML with the signature of a PNG', Buffer.concat([png.subarray(0, 8), Buffer.from('<html>'), png])],
  ['a.png', 'a PNG without data', Buffer.concat([png.subarray(0, 33), png.subarray(-12)])],
  ['a.jpg', 'a JPEG without data', Buffer.concat([jpg.subarray(0, 2), jpg.subarray(-2)])],
])('%s with %s is refused', (name, _what, bytes) => {
  expect(read(name, bytes)).toThrow(/format of its Content-Type|incomplete or damaged/);
});
