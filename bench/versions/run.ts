/**
 * Compares this checkout with another one, on SQLite and on PostgreSQL, in turns. Prints the CPU time of a request in the service, and
 * its ratio to the other checkout within each round. A second process of this checkout shows the noise. Needs wrk.
 *
 *     git worktree add ../base v0.1.0 && (cd ../base && bun install)
 *     bun run bench versions --with ../base [--seconds 2] [--rounds 5] [--only create@128]…
 */
import { resolve } from 'node:path';
import { toSeries } from '../requests/results.ts';
import { rangeOfRatio, show } from '../requests/tables.ts';
import { check, type Figures, measure, printTable, type Work } from '../support/measure.ts';
import { onlyLoads, otherCheckout, rounds, seconds } from '../support/options.ts';
import { startServer } from '../support/postgres-server.ts';
import { type PlantStoreOptions, plantStore, run } from '../support/servers.ts';
import { type Entrant, takeTurns } from '../support/turns.ts';

if (otherCheckout === '') throw new Error('--with is the folder of the other checkout.');

const here = 'this checkout';
const other = 'the other';
const again = 'this checkout again';
const programs = {
  [here]: undefined,
  [other]: [process.execPath, resolve(otherCheckout, 'src/main.ts')],
  [again]: undefined,
};

const nameOf = ({ load, connections }: Work): string => `${load}@${connections}`;
const allWorks: readonly Work[] = [128, 1].flatMap((connections) =>
  ['create', 'get', 'list', 'mix'].map((load) => ({ load, connections })),
);
const unknown = onlyLoads.find((only) => !allWorks.some((work) => nameOf(work) === only));
if (unknown !== undefined)
  throw new Error(`--only ${unknown}: there is none. There are: ${allWorks.map(nameOf).join(', ')}`);
const works = allWorks.filter((work) => onlyLoads.length === 0 || onlyLoads.includes(nameOf(work)));

/** `databases` has a URL for each program. By default, each uses a new file. */
const compare = async (engine: string, databases: readonly string[] = []): Promise<void> => {
  await using resources = new AsyncDisposableStack();
  const entrants: Entrant<Figures>[] = [];
  for (const [index, [name, program]] of Object.entries(programs).entries()) {
    const database = databases[index];
    const options: PlantStoreOptions = { ...(program && { program }), ...(database && { database }) };
    const running = resources.use(await run(plantStore(options)));
    await check(running);
    entrants.push({ name, measure: (work, durationSeconds) => measure(running, work, durationSeconds) });
  }
  const measured = await takeTurns(entrants, works, { rounds, seconds });
  const rows = works.map((work) => {
    const cpuOf = (name: string): number[] => (measured.get(work)?.get(name) ?? []).map(({ cpuUs }) => cpuUs);
    const toRatio = (name: string): string =>
      rangeOfRatio(toSeries(cpuOf(name).map((cpuUs, round) => cpuUs / (cpuOf(other)[round] ?? Number.NaN))));
    const least = Math.min(...cpuOf(here)) / Math.min(...cpuOf(other));
    return [
      nameOf(work),
      ...[other, here].map((name) => `${show(toSeries(cpuOf(name)).median)} µs`),
      ...[here, again].map(toRatio),
      least.toFixed(2),
    ];
  });
  printTable([engine, other, here, 'ratio', 'ratio of the second process', 'ratio of the least'], rows);
};

console.log(`${rounds} rounds, turns of ${seconds} s. CPU of a request in the service.\n`);
await compare('SQLite');
await using server = await startServer();
await using databases = new AsyncDisposableStack();
const urls: string[] = [];
for (const _ of Object.keys(programs)) urls.push(databases.use(await server.createDatabase()).url);
await compare(`PostgreSQL ${server.version}`, urls);
