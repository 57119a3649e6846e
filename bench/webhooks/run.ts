/**
 * Measures the CPU time that the sender takes for a message, with one webhook and with ten, beside a peer and floors that do less. All
 * senders run at the same time, and send in turn. A turn whose messages do not all arrive, once each, does not count: the run fails. Writes
 * the results to results.json, their table to bench/README.md and their picture to docs/.
 *
 *     bun run bench webhooks [--messages 20000] [--rounds 5]
 */
import { setTimeout } from 'node:timers/promises';
import { publish } from '../pictures/plot.ts';
import { toSeries, writeJson } from '../requests/results.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { messages, rounds } from '../support/options.ts';
import { type Server, startServer } from '../support/postgres-server.ts';
import { bareServer, bun, type Running, run } from '../support/servers.ts';
import { readWebhookResults, toWebhookTable, type WebhookResults, webhookResultsPath } from './results.ts';
import { type Sender, senders } from './senders.ts';

interface Turn {
  /** The CPU time of a message in the sender, in microseconds. */
  readonly cpuUs: number;
  /** The same in PostgreSQL. */
  readonly postgresUs: number;
  readonly perSecond: number;
}

interface Counts {
  readonly messages: number;
  readonly different: number;
}

const count = async (receiver: Running, method = 'GET'): Promise<Counts> =>
  (await fetch(receiver.url, { method })).json() as Promise<Counts>;

/** Longer than a sender takes to record the last outcomes, or to repeat a message. */
const settleMs = 500;

const takeTurn = async (
  { sender, running }: Entrant,
  receiver: Running,
  server: Pick<Server, 'cpuSeconds'>,
  { each, expected }: { readonly each: number; readonly expected: number },
): Promise<Turn> => {
  const before = await cpuSeconds(running.pid);
  let [seen, seenAtMs, startedAtMs] = [0, performance.now(), 0];
  await sender.give(running, each);
  const postgresBefore = await server.cpuSeconds();
  for (let patienceMs = 60_000; seen < expected; ) {
    const { different } = await count(receiver);
    if (different > seen) [seen, seenAtMs] = [different, performance.now()];
    if (startedAtMs === 0 && seen > 0) startedAtMs = seenAtMs;
    if (performance.now() > seenAtMs + patienceMs)
      throw new Error(`${sender.name} sent ${seen} of ${expected} messages.`);
    await setTimeout(10);
  }
  await setTimeout(settleMs);
  const cpuTime = (await cpuSeconds(running.pid)) - before;
  const postgresTime = (await server.cpuSeconds()) - postgresBefore;
  const all = await count(receiver, 'DELETE');
  if (all.messages !== expected)
    throw new Error(`${sender.name} sent ${all.messages} messages instead of ${expected}.`);
  return {
    cpuUs: (1_000_000 * cpuTime) / expected,
    postgresUs: (1_000_000 * postgresTime) / expected,
    perSecond: (1000 * expected) / (seenAtMs - startedAtMs),
  };
};

interface Entrant {
  readonly sender: Sender;
  readonly running: Running;
  readonly turns: Turn[];
}

const compare = async (webhooks: number): Promise<WebhookResults['works'][number]> => {
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await startServer());
  const receiver = resources.use(await run(bareServer('receiver', bun('webhooks/receiver.ts'))));
  const urls = Array.from({ length: webhooks }, (_, index) => `${receiver.url}/${index}`);
  const postgres: string[] = [];
  while (postgres.length < 4) postgres.push(resources.use(await server.createDatabase()).url);
  const entrants: Entrant[] = [];
  const each = Math.ceil(messages / webhooks);
  for (const sender of await senders(urls, { count: each, postgres }))
    entrants.push({ sender, running: resources.use(await run(sender.server)), turns: [] });
  // The first turn of each is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const entrant of entrants) {
      console.error(`round ${round} of ${rounds}: ${entrant.sender.name}, ${webhooks}`);
      const turn = await takeTurn(entrant, receiver, server, { each, expected: each * webhooks });
      if (round > 0) entrant.turns.push(turn);
    }
  }
  const floor = entrants[0]?.turns ?? [];
  return {
    webhooks,
    senders: entrants.map(({ sender: { name, usesPostgres }, turns }) => ({
      name,
      cpuUs: toSeries(turns.map(({ cpuUs }) => cpuUs)),
      ...(usesPostgres && { postgresUs: toSeries(turns.map(({ postgresUs }) => postgresUs)) }),
      perSecond: toSeries(turns.map(({ perSecond }) => perSecond)),
      ratio: toSeries(turns.map(({ cpuUs }, round) => cpuUs / (floor[round]?.cpuUs ?? Number.NaN))),
    })),
  };
};

const startedAt = new Date().toISOString();
const works: WebhookResults['works'][number][] = [];
for (const webhooks of [1, 10]) {
  works.push(await compare(webhooks));
  // After each, since a run takes long.
  await writeJson(webhookResultsPath, { startedAt, options: { messages, rounds }, works });
}
console.log(toWebhookTable(await readWebhookResults()));
await publish();
