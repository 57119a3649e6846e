/** The service and its peers on one PostgreSQL server, each on a separate database. */
import { createHash, randomBytes } from 'node:crypto';
import { devDependencies } from '../package.json';
import { check } from '../support/measure.ts';
import { rounds, seconds } from '../support/options.ts';
import type { Database, Server } from '../support/postgres-server.ts';
import {
  type HttpServer,
  here,
  logIn,
  node,
  plantStore,
  type Running,
  run,
  startListening,
} from '../support/servers.ts';
import { add, measureOn, medianOf, type NamedWork, type PostgresMeasured, printMeasuredOn } from './measure.ts';

const works: readonly NamedWork[] = ['create', 'get', 'list', 'mix'].flatMap((load) =>
  [1, 128].map((connections) => ({ name: `${load}, ${connections}`, load, connections })),
);

/**
 * Measures all of them under each load, and returns the ratios of the service to its peers. They run at the same time and are
 * loaded in turn, so that other work of the machine affects all of them equally.
 */
export const comparePeersOn = async (server: Server): Promise<string[][]> => {
  const results = new Map(works.map((work): [NamedWork, PostgresMeasured] => [work, new Map()]));
  for (let round = 1; round <= rounds; round += 1) {
    await using resources = new AsyncDisposableStack();
    const entrants = await Promise.all(contestants.map((start) => enter(server, start, resources)));
    for (const [work, measured] of results) {
      console.error(`round ${round} of ${rounds}: ${work.name}`);
      for (const { name, database, running, created } of entrants) {
        await database.settle();
        const figures = await measureOn(server, running, work);
        add(measured, name, figures);
        if (work.load === 'create') created.push(Math.floor(figures.perSecond * seconds));
      }
    }
    for (const { database, created } of entrants) await checkStored(database, sum(created));
  }
  for (const [{ name }, measured] of results) printMeasuredOn(name, measured);
  return [...results].map(([{ name }, measured]) => [name, ...ratiosOf(measured)]);
};

/** A contestant, given its database. */
type StartOn = (database: Database) => HttpServer;

const peer =
  (name: string, file: string, create: 'transaction' | 'statement'): StartOn =>
  ({ url, sql }) => ({
    name: `${name}, a create is a ${create}`,
    start: async ({ folder, port }) => {
      const token = randomBytes(24).toString('base64url');
      const digest = createHash('sha256').update(token).digest('hex');
      await sql.file(here('servers/postgres-schema.sql'));
      await sql`INSERT INTO tokens (digest, scopes) VALUES (${digest}, '{plants:read,plants:write}')`;
      const env = { PORT: `${port}`, DATABASE_URL: url, LOG: logIn(folder), CREATE: create };
      return { ...(await startListening(node(`servers/${file}`), env)), token };
    },
  });

const fastify = `Fastify ${devDependencies.fastify}`;
const pg = `${fastify} + pg ${devDependencies.pg}`;

const contestants: readonly StartOn[] = [
  peer(pg, 'fastify-pg.mjs', 'transaction'),
  peer(pg, 'fastify-pg.mjs', 'statement'),
  peer(`${fastify} + postgres.js ${devDependencies.postgres}`, 'fastify-postgres.mjs', 'statement'),
  ({ url }) => plantStore({ database: url }),
];

/** Starts a contestant on a new database and checks its responses. `created` has the number of acknowledged plants of each load. */
const enter = async (server: Server, start: StartOn, resources: AsyncDisposableStack) => {
  const database = resources.use(await server.createDatabase());
  const contestant = start(database);
  const running = resources.use(await run(contestant));
  await check(running);
  await checkRefusals(running);
  return { name: contestant.name, database, running, created: [plantsOfCheck] };
};

const plantsOfCheck = 1000;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The service comes last: the ratio of its requests to those of the first peer, and of the fastest. */
const ratiosOf = (measured: PostgresMeasured): string[] => {
  const perSecond = [...measured.keys()].map((name) => medianOf(measured, name, 'perSecond'));
  const service = perSecond.at(-1) ?? Number.NaN;
  return [perSecond[0] ?? Number.NaN, Math.max(...perSecond.slice(0, -1))].map((peers) => (service / peers).toFixed(2));
};

/** Checks what all must refuse, and that creating the same plant again is no conflict. Plant 1 exists. */
const checkRefusals = async ({ url, token }: Running): Promise<void> => {
  const expectStatus = async (expected: number, path: string, authorization: string, body?: string): Promise<void> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body };
    const { status } = await fetch(`${url}${path}`, init);
    if (status !== expected) throw new Error(`status ${status} instead of ${expected}: ${path} ${body ?? ''}`);
  };
  const bearer = `Bearer ${token}`;
  await expectStatus(401, '/plants/1', `${bearer}x`);
  await expectStatus(404, '/plants/1001', bearer);
  await expectStatus(200, '/plants', bearer, '{"id":1,"name":"Monstera","tag":"tropical"}');
  await expectStatus(409, '/plants', bearer, '{"id":1,"name":"Ficus"}');
  await expectStatus(400, '/plants', bearer, '{"id":1.5,"name":"Ficus"}');
};

/** Checks that every acknowledged plant is stored, with one event each. */
const checkStored = async ({ sql }: Database, created: number): Promise<void> => {
  const [counted] = await sql`
    SELECT (SELECT count(*) FROM plants)::int AS plants, (SELECT count(*) FROM events)::int AS events`;
  if (counted.plants < created || counted.events !== counted.plants)
    throw new Error(`${created} plants were created: ${JSON.stringify(counted)}`);
};
