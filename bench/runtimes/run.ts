/**
 * Compares the service on Bun, Deno and Node.js, each with the peer that is usual on that runtime, and prints the results as tables. Needs wrk.
 *
 *     bun run bench runtimes [--seconds 2] [--rounds 5]
 */
import { pairs } from '../requests/contestants.ts';
import { describeMachine } from '../requests/machine.ts';
import { comparePeers } from '../requests/peers.ts';
import { type Figure, type Series, toSeries, type WorkResults } from '../requests/results.ts';
import { rangeOfRatio, show, titles } from '../requests/tables.ts';
import { toTable } from '../support/measure.ts';
import { rounds, seconds } from '../support/options.ts';

const [[onBun] = []] = pairs;
const { works } = await comparePeers(pairs.flat(), { rounds, seconds });

/** A row for each runtime. A ratio divides figures of the same round. */
const toRows = ({ load, servers }: WorkResults): string[][] => {
  const of = (name: string | undefined, figure: Figure): Series =>
    servers.find((server) => server.name === name)?.figures[figure] ?? toSeries([]);
  const divide = (one: Series, other: Series): string =>
    rangeOfRatio(toSeries(one.rounds.map((value, round) => value / (other.rounds[round] ?? Number.NaN))));
  return pairs.map(([{ name }, peer]) => [
    `${titles[load] ?? load}, ${name.replace('Plant Store on ', '')}`,
    `${show(of(name, 'cpuUs').median)} µs`,
    divide(of(name, 'cpuUs'), of(onBun?.name, 'cpuUs')),
    show(of(name, 'perSecond').median),
    `${show(of(peer.name, 'cpuUs').median)} µs`,
    show(of(peer.name, 'perSecond').median),
    `× ${divide(of(name, 'perSecond'), of(peer.name, 'perSecond'))}`,
  ]);
};

const { cpu, cores, memoryGib, syncUs } = describeMachine();
console.log(`${cores} × ${cpu}, ${memoryGib} GiB; a sync takes ${syncUs} µs. ${rounds} rounds, turns of ${seconds} s.`);
console.log(`The peers: ${pairs.map(([, { name }]) => name).join('; ')}.\n`);
for (const [connections, ofConnections] of Map.groupBy(works, (work) => work.connections)) {
  const head = [
    connections === 1 ? '1 connection' : `${connections} connections`,
    ...['CPU of a request', 'ratio to Bun', 'requests a second'],
    ...['CPU, the peer', 'requests a second', 'Plant Store answers'],
  ];
  console.log(`${toTable(head, ofConnections.flatMap(toRows))}\n`);
}
