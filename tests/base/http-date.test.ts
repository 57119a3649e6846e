import { expect, test } from 'bun:test';
import { parseHttpDate } from '../../src/base/http-date.ts';

const nowMs = Date.parse('2026-05-01T00:00:00Z');
const read = (text: string): string | undefined => {
  const ms = parseHttpDate(text, nowMs);
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
  ['Sun Nov 16 08:49:37 2031', '2031-11-16T08:49:37.000Z'],
  ['Wednesday, 01-Jan-76 00:00:00 GMT', '2076-01-01T00:00:00.000Z'],
  ['Friday, 01-Jan-77 00:00:00 GMT', '1977-01-01T00:00:00.000Z'],
  ['Sat, 31 Dec 2016 23:59:60 GMT', '2016-12-31T23:59:59.000Z'],
  ['Fri, 1 May 2026 00:00:00 GMT', '2026-05-01T00:00:00.000Z'],
  ['sun, 06 nov 1994 08:49:37 gmt', '1994-11-06T08:49:37.000Z'],
  ['Sun, 06 Nov 1994 08:49:37 +0000', '1994-11-06T08:49:37.000Z'],
])('the date %s is %s, whatever the zone of the machine', (text, expected) => {
  const { TZ = 'UTC' } = process.env;
  for (const zone of ['Asia/Tokyo', TZ]) {
    process.env['TZ'] = zone;
    expect([zone, read(text)]).toEqual([zone, expected]);
  }
});

test('without this, a date that has no zone is read in the zone of the machine', () => {
  const { TZ = 'UTC' } = process.env;
  process.env['TZ'] = 'Asia/Tokyo';
  expect(new Date('Sun Nov  6 08:49:37 1994').toISOString()).toBe('1994-11-05T23:49:37.000Z');
  process.env['TZ'] = TZ;
});

test.each([
  '',
  '5',
  'tomorrow',
  'Sun',
  '2026-05-01T00:00:00Z',
  'Sun, 06 Foo 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 CET',
  'Sun, 06 Nov 1994 25:00:00 GMT',
  'Sun Nov 6 08:49:37 1994 GMT',
  'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
])('the text %p is not a date', (text) => {
  expect(read(text)).toBeUndefined();
});
