import { expect, test } from 'bun:test';
import type { Compared } from '../versions/compare.ts';
import { confirmLosses, type Entry, findLosses, toRatios } from './guard.ts';

const last: Entry = {
  commit: '0123456789abcdef',
  date: '2026-11-27',
  what: 'an example',
  ratios: { SQLite: { 'create@128': 1, 'get@128': 0.9 }, PostgreSQL: { 'create@128': 1.1 } },
};

/** A row with the reference at 20 µs. */
const row = (work: string, here: number[], again: number[], engine: Compared['engine'] = 'SQLite'): Compared => ({
  engine,
  work,
  cpuUs: { here, 'here again': again, other: [20, 25, 22], 'other again': [21, 26] },
});

test('a ratio is that of the lower quartiles, of the cheaper process of each', () => {
  expect(toRatios([row('create@128', [30, 21], [24, 22]), row('create@128', [40], [50], 'PostgreSQL')])).toEqual({
    SQLite: { 'create@128': 1.05 },
    PostgreSQL: { 'create@128': 2 },
  });
  const [lucky, usual] = [
    [9, 20, 21, 30, 40],
    [40, 30, 22, 21, 22],
  ];
  const compared = {
    ...row('get@128', [], []),
    cpuUs: { here: lucky, 'here again': usual, other: usual.map((cpuUs) => 2 * cpuUs), 'other again': usual },
  };
  expect(toRatios([compared])).toEqual({ SQLite: { 'get@128': 0.909 } });
});

test('a row that costs more than 4 % more is named, with both ratios', () => {
  const ratios = toRatios([
    row('create@128', [21, 23], [21.2, 22]),
    row('get@128', [18, 30], [18.1, 19]),
    row('create@128', [24, 25], [24, 26], 'PostgreSQL'),
  ]);
  expect(findLosses(ratios, last).map(({ message }) => message)).toEqual([
    'create@128 on SQLite costs 5 % more than at 01234567: 1.05 of the reference, and 1 then.',
    'create@128 on PostgreSQL costs 9 % more than at 01234567: 1.2 of the reference, and 1.1 then.',
  ]);
});

test('4 % more, a loss of one process alone, and a load without an entry are no loss', () => {
  const ratios = toRatios([
    row('create@128', [20.8], [20.8]),
    row('get@128', [30, 28], [18.2, 19]),
    row('list@128', [90], [90]),
  ]);
  expect(findLosses(ratios, last)).toEqual([]);
});

test('a loss counts if a second measurement has it, on the same engine', () => {
  const both = toRatios([row('create@128', [30], [30]), row('create@128', [30], [30], 'PostgreSQL')]);
  const again = toRatios([row('create@128', [20], [20]), row('create@128', [26], [27], 'PostgreSQL')]);
  expect(confirmLosses(findLosses(both, last), again, last).map(({ message }) => message)).toEqual([
    'create@128 on PostgreSQL costs 18 % more than at 01234567: 1.3 of the reference, and 1.1 then.',
  ]);
  expect(confirmLosses([], again, last)).toEqual([]);
});
