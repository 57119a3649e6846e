import { expect, test } from 'bun:test';
import { readHeaders, toHeaders } from '../../src/node/headers.ts';

const count = 200_000;

test('a long list of fields with one name is read in linear time', () => {
  const fields = Array.from({ length: count }, () => ['a', 'b']);
  expect(readHeaders(fields.flat()).get('a')).toHaveLength(3 * count - 2);
  expect(toHeaders(fields).get('a')).toHaveLength(3 * count - 2);
});

test('fields with one name are one with commas, and cookies one with semicolons', () => {
  const headers = readHeaders(['X-Tag', 'a', 'x-tag', '', 'Cookie', 'a=b', 'cookie', 'c=d']);
  expect([...headers]).toEqual([
    ['x-tag', 'a, '],
    ['cookie', 'a=b; c=d'],
  ]);
});

test.each(['a\r\nb: c', 'a\0', '€'])('the value %j of a response is refused', (value) => {
  const headers = toHeaders([]);
  expect(() => headers.set('a', value)).toThrow(TypeError);
  expect(() => headers.append('a', value)).toThrow(TypeError);
  expect(headers.has('a')).toBe(false);
});
