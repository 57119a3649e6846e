import { expect, test } from 'bun:test';
import { memoize } from '../../src/base/memoize.ts';

test('a value is made once for a key, even undefined, until there are too many', () => {
  const made: string[] = [];
  const find = memoize(2, (key) => {
    made.push(key);
    return key === 'none' ? undefined : `${key}!`;
  });
  expect(['a', 'none', 'a', 'none'].map(find)).toEqual(['a!', undefined, 'a!', undefined]);
  expect(made).toEqual(['a', 'none']);
  expect(['b', 'b', 'a'].map(find)).toEqual(['b!', 'b!', 'a!']);
  expect(made).toEqual(['a', 'none', 'b', 'a']);
});
