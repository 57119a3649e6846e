import { expect, test } from 'bun:test';
import { readPreferences } from '../../src/base/prefer.ts';

test.each<[header: string, preferences: Record<string, string>]>([
  ['', {}],
  ['code=503', { code: '503' }],
  ['code="503"', { code: '503' }],
  [' Code \t= 503 ', { code: '503' }],
  ['code', { code: '' }],
  ['code=', { code: '' }],
  ['code=""', { code: '' }],
  ['code=abc', { code: 'abc' }],
  ['code=5 3', { code: '5 3' }],
  ['code=503, code=404', { code: '503' }],
  ['code=503; wait=1; foo', { code: '503' }],
  ['code="503"; foo="a, code=404"', { code: '503' }],
  ['respond-async, wait=10, code=503', { 'respond-async': '', wait: '10', code: '503' }],
  ['foo="a, code=404", code=503', { foo: 'a, code=404', code: '503' }],
  ['foo="a \\", code=404", code=503', { foo: 'a ", code=404', code: '503' }],
  ['return=minimal; code=503', { return: 'minimal' }],
  [', ,code=503,', { code: '503' }],
])('the header "Prefer: %s" has the preferences %p', (header, preferences) => {
  expect(Object.fromEntries([...readPreferences(header)].filter(([name]) => name !== ''))).toEqual(preferences);
});

test('a header with many quotes and backslashes is read in linear time', () => {
  for (const piece of ['"', '\\', '"\\', '\\"', 'a"', '=', ' ', ',"', '="'])
    expect(readPreferences(piece.repeat(500_000))).toBeInstanceOf(Map);
});
