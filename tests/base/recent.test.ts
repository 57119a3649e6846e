import { expect, test } from 'bun:test';
import { createRecent } from '../../src/base/recent.ts';

test('an entry is kept for `keptMs`, and removed after twice that time', () => {
  const recent = createRecent<number>({ keptMs: 100, keptMax: 10 });
  recent.set('a', 1, 0);
  recent.set('b', 2, 99);
  recent.set('c', 3, 199);
  expect(['a', 'b', 'c'].map(recent.get)).toEqual([1, 2, 3]);
  recent.set('d', 4, 299);
  expect(['a', 'b', 'c', 'd'].map(recent.get)).toEqual([undefined, undefined, 3, 4]);
  expect(recent.size).toBe(2);
});

test('the `keptMax` newest entries are kept, and never more than twice as many', () => {
  const recent = createRecent<number>({ keptMs: 1000, keptMax: 10 });
  for (let count = 1; count <= 1000; count += 1) {
    recent.set(`${count}`, count, 0);
    for (let last = Math.max(1, count - 9); last <= count; last += 1) expect(recent.get(`${last}`)).toBe(last);
    expect(recent.size).toBeLessThanOrEqual(20);
  }
});

test('an entry that is set again is kept with its new value', () => {
  const recent = createRecent<number>({ keptMs: 1000, keptMax: 2 });
  for (let count = 1; count <= 9; count += 1) {
    recent.set('again', count, 0);
    recent.set(`${count}`, count, 0);
    expect(recent.get('again')).toBe(count);
  }
});
