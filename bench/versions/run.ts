/**
 * Compares this checkout with another one, on SQLite and on PostgreSQL, in turns. Prints the CPU time of a request in the service, and
 * its ratio to the other checkout within each round. A second process of this checkout shows the noise. Needs wrk.
 *
 *     git worktree add ../base v0.1.0 && (cd ../base && bun install)
 *     bun run bench versions --with ../base [--seconds 2] [--rounds 5] [--only create@128]…
 */
import { toSeries } from '../requests/results.ts';
import { rangeOfRatio, show } from '../requests/tables.ts';
import { printTable } from '../support/measure.ts';
import { otherCheckout, rounds, seconds } from '../support/options.ts';
import { type Compared, compareWith } from './compare.ts';

if (otherCheckout === '') throw new Error('--with is the folder of the other checkout.');

const toRow = ({ work, cpuUs: { here, other, again } }: Compared): string[] => {
  const toRatio = (own: readonly number[]): string =>
    rangeOfRatio(toSeries(own.map((cpuUs, round) => cpuUs / (other[round] ?? Number.NaN))));
  return [
    work,
    ...[other, here].map((cpuUs) => `${show(toSeries(cpuUs).median)} µs`),
    ...[here, again].map(toRatio),
    (Math.min(...here) / Math.min(...other)).toFixed(2),
  ];
};

console.log(`${rounds} rounds, turns of ${seconds} s. CPU of a request in the service.\n`);
const compared = Map.groupBy(await compareWith(otherCheckout), ({ engine }) => engine);
const head = ['the other', 'this checkout', 'ratio', 'ratio of the second process', 'ratio of the least'];
for (const [engine, rows] of compared) printTable([engine, ...head], rows.map(toRow));
