/** How the console makes pictures fit the limits of the service, and how many it loads at a time. */
import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import {
  isSendable,
  pictureBytesMax,
  pictureSideMax,
  pictureTypes,
  reasonFor,
  sizeToDraw,
  smaller,
} from '../../console/pictures/fit.ts';
import { createLimit } from '../../console/pictures/limit.ts';
import { pictureBytesMax as servedBytesMax } from '../../src/base/app-error.ts';
import { pictureSideMax as servedSideMax } from '../../src/pictures/file.ts';
import { pictureTypes as servedTypes } from '../../src/plants/plant.ts';

test('the limits of the console are those of the service', () => {
  expect([pictureBytesMax, pictureSideMax, pictureTypes]).toEqual([servedBytesMax, servedSideMax, servedTypes]);
});

test.each([
  ['image/png', pictureBytesMax, pictureSideMax, true],
  ['image/png', pictureBytesMax + 1, 1, false],
  ['image/webp', 1, pictureSideMax + 1, false],
  ['image/gif', 1, 1, false],
  ['', 1, 1, false],
])('a file of the type %p with %d bytes and %d pixels can be sent as it is: %p', (type, size, side, expected) => {
  expect(isSendable({ type, size }, { width: side, height: 1 })).toBe(expected);
  expect(isSendable({ type, size }, { width: 1, height: side })).toBe(expected);
});

test.each([
  [
    { width: 100, height: 50 },
    { width: 100, height: 50 },
  ],
  [
    { width: 16_384, height: 1024 },
    { width: 8192, height: 512 },
  ],
  [
    { width: 8192, height: 8192 },
    { width: 4096, height: 4096 },
  ],
  [
    { width: 1, height: 100_000 },
    { width: 1, height: 8192 },
  ],
])('a picture of %p is drawn in %p', (size, expected) => {
  expect(sizeToDraw(size, pictureBytesMax)).toEqual(expected);
});

test.each([
  // A photo of 12 megapixels, on its side too, and a picture that has fewer pixels than that takes.
  [4000, 3000, 2309, 1732],
  [3000, 4000, 1732, 2309],
  [2000, 2000, 2000, 2000],
])('a picture of too many bytes, of %d × %d pixels, is drawn in %d × %d', (width, height, drawnWidth, drawnHeight) => {
  const expected = { width: drawnWidth, height: drawnHeight };
  expect(sizeToDraw({ width, height }, pictureBytesMax + 1)).toEqual(expected);
});

test.each([
  ['IMG_1.HEIC', '', 'HEIC'],
  ['a', 'image/heif', 'HEIC'],
  ['a.svg', '', 'SVG'],
  ['a.SVGZ', '', 'SVG'],
  ['a', 'image/svg+xml', 'SVG'],
  ['heic.png', 'image/png', 'PNG, JPEG or WebP'],
  ['svg', 'text/html', 'PNG, JPEG or WebP'],
])('what is said of the file %p of the type %p names %s', (name, type, words) => {
  expect(reasonFor({ name, type })).toContain(words);
});

test('a picture becomes smaller at each attempt, and keeps a pixel', () => {
  const size = smaller({ width: 1000, height: 500 }, pictureBytesMax * 4);
  expect(size).toEqual({ width: 475, height: 237 });
  expect(smaller({ width: 1000, height: 1 }, pictureBytesMax + 1)).toEqual({ width: 900, height: 1 });
});

test('so many run at a time, one that is no longer wanted is not run, and a failure stops no other', async () => {
  const limit = createLimit(2);
  const { signal } = new AbortController();
  const begun: number[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const start = (id: number, own = signal) =>
    limit(own, async () => {
      begun.push(id);
      ends[id] = Promise.withResolvers();
      await ends[id].promise;
      return id;
    });
  const unwanted = new AbortController();
  const runs = [start(0), start(1), start(2, unwanted.signal), start(3), start(4)];
  const settled = Promise.allSettled(runs);
  expect(begun).toEqual([0, 1]);
  unwanted.abort();
  ends[0]?.reject(new Error('lost'));
  await runs[2]?.catch(() => {});
  await setImmediate();
  expect(begun).toEqual([0, 1, 3]);
  ends[1]?.resolve();
  await runs[1];
  await setImmediate();
  expect(begun).toEqual([0, 1, 3, 4]);
  for (const id of [3, 4]) ends[id]?.resolve();
  expect((await settled).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
});
