/**
 * Compares this checkout with another one, on SQLite and on PostgreSQL, in turns. Prints the CPU time of a request in the service, and
 * its ratio to the other checkout within each round. A second process of each checkout shows the noise. Needs wrk.
 *
 *     git worktree add ../base v0.1.0 && (cd ../base && bun install)
 *     bun run bench versions --with ../base [--seconds 2] [--rounds 5] [--only create@128]…
 */
import { toSeries } from '../requests/results.ts';
import { rangeOfRatio, show } from '../requests/tables.ts';
import { printTable } from '../support/measure.ts';
import { otherCheckout, rounds, seconds } from '../support/options.ts';
import { type Compared, compareWith, toRatioOfQuartiles } from './compare.ts';

if (otherCheckout === '') throw new Error('--with is the folder of the other checkout.');

const toRow = ({ work, cpuUs }: Compared): string[] => {
  const toRatio = (here: readonly number[], other: readonly number[]): string =>
    rangeOfRatio(toSeries(here.map((own, round) => own / (other[round] ?? Number.NaN))));
  return [
    work,
    ...[cpuUs.other, cpuUs.here].map((own) => `${show(toSeries(own).median)} µs`),
    toRatio(cpuUs.here, cpuUs.other),
    toRatio(cpuUs['here again'], cpuUs['other again']),
    toRatioOfQuartiles(cpuUs).toFixed(2),
  ];
};

console.log(`${rounds} rounds, turns of ${seconds} s. CPU of a request in the service.\n`);
const compared = Map.groupBy(await compareWith(otherCheckout), ({ engine }) => engine);
const head = ['the other', 'this checkout', 'ratio', 'ratio of the second processes', 'ratio of the lower quartiles'];
for (const [engine, rows] of compared) printTable([engine, ...head], rows.map(toRow));
