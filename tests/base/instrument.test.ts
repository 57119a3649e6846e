import { expect, test } from 'bun:test';
import { anyValue, counter, gauge, histogram, summary, toPrometheusText } from '../../src/base/instrument.ts';

test('a counter and a gauge start at 0, and have the sum of the added values', () => {
  const total = counter('a_total', 'All of a.');
  const current = gauge('b', 'The current b.');
  const before = toPrometheusText([total, current]);
  total.add(1);
  total.add(2.5);
  current.add(3);
  current.add(-1);
  expect([before, toPrometheusText([total, current])]).toEqual([
    '# HELP a_total All of a.\n# TYPE a_total counter\na_total 0\n# HELP b The current b.\n# TYPE b gauge\nb 0\n',
    '# HELP a_total All of a.\n# TYPE a_total counter\na_total 3.5\n# HELP b The current b.\n# TYPE b gauge\nb 2\n',
  ]);
});

test('a series with known label values starts at 0, and any other series starts when it is first used', () => {
  const known = counter('a', 'A.', { outcome: ['good', 'bad'] });
  const unknown = counter('b', 'B.', { id: anyValue });
  expect(known.lines()).toEqual(['a{outcome="good"} 0\n', 'a{outcome="bad"} 0\n']);
  expect(unknown.lines()).toEqual([]);
  expect(toPrometheusText([unknown])).toBe('');
  known.add(2, { outcome: 'bad' });
  unknown.add(1, { id: '7' });
  unknown.add(1, { id: '7' });
  expect([...known.lines(), ...unknown.lines()]).toEqual([
    'a{outcome="good"} 0\n',
    'a{outcome="bad"} 2\n',
    'b{id="7"} 2\n',
  ]);
});

test('each set of label values has its own series, and an undefined label is omitted', () => {
  const one = gauge('a', 'A.', { x: anyValue, y: anyValue });
  one.set(1, { x: 'p', y: 'q' });
  one.set(2, { y: 'q', x: undefined });
  one.set(3, { x: 'pq', y: '' });
  one.set(4, { y: 'q', x: 'p' });
  expect(one.lines()).toEqual(['a{x="p",y="q"} 4\n', 'a{y="q"} 2\n', 'a{x="pq",y=""} 3\n']);
  one.clear();
  expect(one.lines()).toEqual([]);
});

test('quotes, backslashes and line feeds in a label value are escaped', () => {
  const one = gauge('a', 'A.', { x: anyValue });
  one.set(1, { x: 'a"b\\c\nd' });
  expect(one.lines()).toEqual(['a{x="a\\"b\\\\c\\nd"} 1\n']);
});

test('a value at the upper bound of a bucket is in it, and each bucket includes the values of smaller ones', () => {
  const sizes = histogram('a', 'A.', [1, 2, 4]);
  for (const value of [0, 1, 1.5, 2, 4, 4.5, 100]) sizes.observe(value);
  expect(sizes.lines()).toEqual([
    'a_bucket{le="1"} 2\n',
    'a_bucket{le="2"} 4\n',
    'a_bucket{le="4"} 5\n',
    'a_bucket{le="+Inf"} 7\n',
    'a_sum 113\n',
    'a_count 7\n',
  ]);
});

test('`series` of a histogram returns the series that `observe` uses for the same labels', () => {
  const sizes = histogram('a', 'A.', [1], { outcome: ['good', 'bad'] });
  sizes.series({ outcome: 'bad' }).observe(1);
  sizes.observe(2, { outcome: 'bad' });
  expect(sizes.lines().slice(-4)).toEqual([
    'a_bucket{outcome="bad",le="1"} 1\n',
    'a_bucket{outcome="bad",le="+Inf"} 2\n',
    'a_sum{outcome="bad"} 3\n',
    'a_count{outcome="bad"} 2\n',
  ]);
});

test('a summary has its quantiles, and the count and the sum of all values', () => {
  const delays = summary('a', 'A.');
  expect(toPrometheusText([delays])).toBe('');
  const quantiles = new Map([
    [0.5, 1],
    [1, Number.NaN],
  ]);
  delays.set({ quantiles, count: 3, sum: 4.5 });
  expect(delays.lines()).toEqual(['a{quantile="0.5"} 1\n', 'a{quantile="1"} NaN\n', 'a_sum 4.5\n', 'a_count 3\n']);
});
