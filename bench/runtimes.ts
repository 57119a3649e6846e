/**
 * Compares the service on Bun, Deno and Node.js, each with the peer that is usual on that runtime, and prints the results as tables. Needs wrk.
 *
 *     bun run bench:runtimes [--seconds 2] [--rounds 5]
 */
import { pairs } from './contestants.ts';
import { describeMachine } from './machine.ts';
import { toTable } from './measure.ts';
import { rounds, seconds } from './options.ts';
import { comparePeers } from './peers.ts';
import { type Figure, type Series, toSeries, type WorkResults } from './results.ts';
import { range, rangeOfRatio, titles } from './tables.ts';

const [[onBun] = []] = pairs;
const { works } = await comparePeers(pairs.flat(), { rounds, seconds });

const toRuntimeTable = ({ load, connections, servers }: WorkResults): string => {
  const of = (name: string, figure: Figure): Series =>
    servers.find((server) => server.name === name)?.figures[figure] ?? toSeries([]);
  /** Within each round. */
  const divide = (one: Series, other: Series): Series =>
    toSeries(one.rounds.map((value, round) => value / (other.rounds[round] ?? Number.NaN)));
  return toTable(
    [
      `${titles[load] ?? load}, ${connections === 1 ? '1 connection' : `${connections} connections`}`,
      'CPU of a request',
      'ratio to Bun',
      'requests a second',
      'the peer',
      'CPU of a request',
      'requests a second',
      'Plant Store answers',
    ],
    pairs.map(([{ name }, peer]) => [
      name,
      `${range(of(name, 'cpuUs'))} µs`,
      rangeOfRatio(divide(of(name, 'cpuUs'), of(onBun?.name ?? '', 'cpuUs'))),
      range(of(name, 'perSecond')),
      peer.name,
      `${range(of(peer.name, 'cpuUs'))} µs`,
      range(of(peer.name, 'perSecond')),
      `× ${rangeOfRatio(divide(of(name, 'perSecond'), of(peer.name, 'perSecond')))}`,
    ]),
  );
};

const { cpu, cores, memoryGib, syncUs } = describeMachine();
console.log(
  `${cores} × ${cpu}, ${memoryGib} GiB; a sync takes ${syncUs} µs. ${rounds} rounds, turns of ${seconds} s.\n`,
);
console.log(works.map(toRuntimeTable).join('\n\n'));
