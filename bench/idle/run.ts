/**
 * The CPU time that a service takes while no client is connected: on SQLite, with ten webhooks, and on PostgreSQL. All run at once, since they
 * mostly sleep. Bun collects garbage each second until its heap has not changed for half a minute, so the measurement begins later.
 *
 *     bun run bench idle [--seconds 60] [--with ../base]
 */
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { cpuSeconds } from '../support/cpu.ts';
import { printTable } from '../support/measure.ts';
import { otherCheckout, seconds } from '../support/options.ts';
import { startServer } from '../support/postgres-server.ts';
import { bareServer, bun, here, type PlantStoreOptions, plantStore, run } from '../support/servers.ts';

const settleMs = 50_000;
const unreachable = Array.from({ length: 10 }, (_, index) => `http://127.0.0.1:9/${index}`);

await using server = await startServer();
await using stack = new AsyncDisposableStack();

const checkouts = {
  'Plant Store': here('..'),
  ...(otherCheckout !== '' && { 'the other checkout': resolve(otherCheckout) }),
};
const entrants: Record<string, PlantStoreOptions | undefined> = { 'Bun.serve alone': undefined };
for (const [name, checkout] of Object.entries(checkouts)) {
  const program = [process.execPath, resolve(checkout, 'src/main.ts')];
  entrants[`${name}, SQLite`] = { program };
  entrants[`${name}, SQLite, ten webhooks`] = { program, webhooks: unreachable };
  entrants[`${name}, PostgreSQL`] = { program, database: stack.use(await server.createDatabase()).url };
}

const rows = Object.entries(entrants).map(async ([name, options]) => {
  await using running = await run(options ? plantStore(options) : bareServer('bare', bun('start/floor.ts')));
  await setTimeout(settleMs);
  const before = await cpuSeconds(running.pid);
  await setTimeout(seconds * 1000);
  const ms = ((await cpuSeconds(running.pid)) - before) * 1000;
  return [name, (ms / seconds).toFixed(1)];
});
printTable(['', 'ms of CPU a second'], await Promise.all(rows));
