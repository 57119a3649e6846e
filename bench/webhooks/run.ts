/**
 * Measures the CPU time that the sender takes for a message, with one webhook and with ten, beside floors that do less. All senders run at
 * the same time, and send in turn. A turn whose messages do not all arrive, once each, does not count: the run fails.
 *
 *     bun run bench webhooks [--messages 20000] [--rounds 5]
 */
import { setTimeout } from 'node:timers/promises';
import { show } from '../requests/tables.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { median, printTable } from '../support/measure.ts';
import { messages, rounds } from '../support/options.ts';
import { startServer } from '../support/postgres-server.ts';
import { bareServer, bun, type Running, run } from '../support/servers.ts';
import { type Sender, senders } from './senders.ts';

interface Turn {
  /** The CPU time of a message in the sender, in microseconds. */
  readonly cpuUs: number;
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

const takeTurn = async (sender: Sender, running: Running, receiver: Running, expected: number): Promise<Turn> => {
  const before = await cpuSeconds(running.pid);
  let [seen, seenAtMs, startedAtMs] = [0, performance.now(), 0];
  await sender.give(running, messages);
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
  const all = await count(receiver, 'DELETE');
  if (all.messages !== expected)
    throw new Error(`${sender.name} sent ${all.messages} messages instead of ${expected}.`);
  return { cpuUs: (1_000_000 * cpuTime) / expected, perSecond: (1000 * expected) / (seenAtMs - startedAtMs) };
};

const compare = async (webhooks: number): Promise<void> => {
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await startServer());
  const receiver = resources.use(await run(bareServer('receiver', bun('webhooks/receiver.ts'))));
  const urls = Array.from({ length: webhooks }, (_, index) => `${receiver.url}/${index}`);
  const postgres: string[] = [];
  while (postgres.length < 3) postgres.push(resources.use(await server.createDatabase()).url);
  const entrants: { readonly sender: Sender; readonly running: Running; readonly turns: Turn[] }[] = [];
  for (const sender of await senders(urls, { count: messages, postgres }))
    entrants.push({ sender, running: resources.use(await run(sender.server)), turns: [] });
  // The first turn of each is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { sender, running, turns } of entrants) {
      console.error(`round ${round} of ${rounds}: ${sender.name}, ${webhooks}`);
      const turn = await takeTurn(sender, running, receiver, messages * webhooks);
      if (round > 0) turns.push(turn);
    }
  }
  const floorUs = median(entrants[0]?.turns ?? [], 'cpuUs');
  printTable(
    [webhooks === 1 ? 'one webhook' : `${webhooks} webhooks`, 'CPU of a message', 'ratio', 'messages a second'],
    entrants.map(({ sender, turns }) => [
      sender.name,
      `${show(median(turns, 'cpuUs'))} µs`,
      (median(turns, 'cpuUs') / floorUs).toFixed(2),
      show(median(turns, 'perSecond')),
    ]),
  );
};

console.log(`Medians of ${rounds} turns of ${messages} messages to each webhook.\n`);
await compare(1);
await compare(10);
