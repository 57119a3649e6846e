/**
 * Measures a get on Node.js and Deno beside a floor on the same runtime, which does the same work for it and nothing else, in turns. A second
 * process of the service shows the noise. Needs wrk.
 *
 *     bun run bench floors [--seconds 2] [--rounds 5]
 */
import { toSeries } from '../requests/results.ts';
import { rangeOfRatio, show } from '../requests/tables.ts';
import { check, type Figures, measure, printTable } from '../support/measure.ts';
import { rounds, seconds } from '../support/options.ts';
import { deno, logIn, node, plantStore, type Running, run, startListening } from '../support/servers.ts';
import { type Entrant, takeTurns } from '../support/turns.ts';

const runtimes = { 'Node.js': node, Deno: deno };
const parts = ['floor', 'service', 'second process'];
const get = { load: 'get', connections: 128 };

const nameOf = (runtime: string, part: string): string => `${part} on ${runtime}`;

/** The floor on the database of a service. */
const runFloor = (command: readonly string[], { database, token }: Running): Promise<Running> =>
  run({
    name: 'floor',
    start: async ({ folder, port }) => {
      const env = { PORT: `${port}`, DATABASE: database, LOG: logIn(folder) };
      return { ...(await startListening(command, env)), token };
    },
  });

await using resources = new AsyncDisposableStack();
const entrants: Entrant<Figures>[] = [];
for (const [runtime, toCommand] of Object.entries(runtimes)) {
  const start = async (): Promise<Running> => {
    const running = resources.use(await run(plantStore({ program: toCommand('../src/main.ts') })));
    await check(running);
    return running;
  };
  const service = await start();
  const floor = resources.use(await runFloor(toCommand('floors/floor.ts'), service));
  for (const [part, running] of Object.entries({ floor, service, 'second process': await start() }))
    entrants.push({
      name: nameOf(runtime, part),
      measure: (work, durationSeconds) => measure(running, work, durationSeconds),
    });
}
const measured = await takeTurns(entrants, [get], { rounds, seconds });

const rows = Object.keys(runtimes).map((runtime) => {
  const cpuOf = (part: string): number[] =>
    (measured.get(get)?.get(nameOf(runtime, part)) ?? []).map(({ cpuUs }) => cpuUs);
  const [floor = [], service = [], second = []] = parts.map(cpuOf);
  const toRatio = (own: readonly number[]): string =>
    rangeOfRatio(toSeries(own.map((cpuUs, round) => cpuUs / (floor[round] ?? Number.NaN))));
  return [
    runtime,
    ...[floor, service].map((cpuUs) => `${show(toSeries(cpuUs).median)} µs`),
    ...[service, second].map(toRatio),
    (Math.min(...service, ...second) / Math.min(...floor)).toFixed(2),
  ];
});
console.log(`${rounds} rounds, turns of ${seconds} s.\n`);
printTable(
  ['CPU of a get, 128', 'floor', 'service', 'service, ×floor', 'second process, ×floor', 'least, ×least of the floor'],
  rows,
);
