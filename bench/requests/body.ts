/**
 * Measures what a create would cost more if Elysia validated its body. Needs wrk. The apps differ only in who validates: a step of
 * the route, as in the service; Elysia, after a parse function of ours; or Elysia with its own parser. Prints the medians of the
 * rounds in microseconds of CPU time, and as ratios to the first.
 */
import { type AnyElysia, Elysia, t } from 'elysia';
import { readBody } from '../../src/http/body.ts';
import { routing } from '../../src/http/plugin.ts';
import { createPlant } from '../../src/plants/operations.ts';

const rounds = 9;
const script = `${import.meta.dir}/../support/load/body.lua`;

const { body: create } = createPlant;
if (!create) throw new Error('createPlant has no body');
const read = readBody(create);
const doubles = t.Object({ id: t.Number(), name: t.String(), tag: t.Optional(t.String()) });
const handler = () => new Response('{}');

const apps: readonly [what: string, app: AnyElysia][] = [
  ['a step of the route', new Elysia(routing).post('/', handler, { parse: 'none', beforeHandle: [read] })],
  [
    'Elysia, after our parser',
    new Elysia(routing).post('/', handler, {
      parse: async (context) => {
        await read(context);
        return context.body;
      },
      body: create.schema,
    }),
  ],
  ['Elysia, after its own parser, with a double as the id', new Elysia(routing).post('/', handler, { body: doubles })],
];

/** The CPU time of a request, in microseconds, in two seconds with 128 connections. */
const microsecondsOf = async (app: AnyElysia): Promise<number> => {
  const server = Bun.serve({ port: 0, fetch: app.fetch });
  const before = process.cpuUsage();
  const wrk = Bun.spawn(['wrk', '-t1', '-c128', '-d2s', '-s', script, `${server.url}`], { stdout: 'pipe' });
  const output = await wrk.stdout.text();
  const { user, system } = process.cpuUsage(before);
  await server.stop(true);
  if (output.includes('Non-2xx')) throw new Error(output);
  return (user + system) / Number(/(\d+) requests in/.exec(output)?.[1]);
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const results = apps.map((): number[] => []);
for (let round = 0; round < rounds; round += 1) {
  for (const [index, [, app]] of apps.entries()) results[index]?.push(await microsecondsOf(app));
}
const medians = results.map(median);
for (const [index, [what]] of apps.entries()) {
  const [first = Number.NaN, own = Number.NaN] = [medians[0], medians[index]];
  console.log(`${what}: ${own.toFixed(1)} µs, ${(own / first).toFixed(2)}`);
}
