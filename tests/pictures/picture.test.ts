import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
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
