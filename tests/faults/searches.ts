/**
 * 200 clients read the longest page of one list again and again, for each list that can be long, on both engines. Meanwhile another
 * client gets one plant, creates one, and asks for the health of the process. It must get prompt responses, and the clients of the list
 * no other ones than 200 and 503. In the control there are no such clients: the first row of the table has the times without them.
 *
 *     bun tests/faults/searches.ts [--rounds 20] [--scene PostgreSQL]        a round is one list
 */

import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { SQL } from 'bun';
import { temporaryFolder } from '../support/folder.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { runProgram, startServer } from '../support/programs/process.ts';
import { createDatabase } from './support/database.ts';
import { readOptions } from './support/options.ts';
import { measureTimes, toCells } from './support/response-times.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, choose } = readOptions(20);
const [plants, clients] = [60_000, 200];
const measuredMs = 1500;
const [medianMsMax, slowestMsMax] = [50, 500];

const lists = {
  name: '/plants?name=zzz&limit=1000',
  search: '/plants?search=ZZZ&limit=1000',
  'search and tag': '/plants?search=ZZZ&tag=t1&limit=1000',
  'by name and search': '/plants?sort=name&search=ZZZ&limit=1000',
  'name and tag': '/plants?name=zzz&tag=t1&limit=1000',
  'name and tags': '/plants?name=zzz&tag=t1&tag=t2&limit=1000',
  'tag by time': '/plants?sort=-createdAt&tag=none&limit=1000',
  'by time': '/plants?sort=-createdAt&limit=1000&count=true',
  tags: '/plants?tag=t1&tag=t2&tag=t3&tag=t4&limit=1000&count=true',
  'by id': '/plants?limit=1000',
  'events of a type': '/events?type=plant.created&limit=1000',
  'deliveries by state': '/deliveries?state=failed&limit=1000&count=true',
  'deliveries of a webhook': '/webhooks/wh_1/deliveries?limit=1000',
};

const { expect, expectWithin, end } = createVerdict();

const attempt = { at: '2026-05-01T09:30:00.000Z', durationMs: 15_000, status: 500, excerpt: 'x'.repeat(200) };
/** As many deliveries as plants, to a webhook that was deleted since, with as many attempts as a delivery keeps. */
const deliveriesOfAll = `
  INSERT INTO deliveries (webhook_id, sequence, number, attempts, attempts_in_round, state)
  SELECT 'wh_1', sequence, 0, '${JSON.stringify(Array(20).fill(attempt))}', 20, 'failed' FROM events`;
const webhook = `
  INSERT INTO webhooks (id, url, events, secrets, position, created_at, disabled_at, disabled_reason)
  VALUES ('wh_1', 'https://example.com/', 'plant.created', '[]', 0, '2026-05-01T09:30:00.000Z', '2026-05-01T09:30:00.000Z', 'gone')`;

const fill = async (database: string, file: string): Promise<void> => {
  const { exitCode, stderr } = await runProgram(['import', file, '--database', database]);
  if (exitCode !== 0) throw new Error(stderr);
  if (database.startsWith('postgres')) {
    await using sql = new SQL(database);
    await sql.unsafe(webhook);
    await sql.unsafe(deliveriesOfAll);
    return;
  }
  using client = new Database(database);
  client.run(webhook);
  client.run(deliveriesOfAll);
};

const plantsFile = (folder: ReturnType<typeof temporaryFolder>) => {
  const rows = Array.from({ length: plants }, (_, index) => ({
    id: index + 1,
    name: `plant ${index}`,
    tag: `t${index % 5}`,
    createdAt: new Date(Date.UTC(2026, 0, 1) + ((index * 7919) % plants)).toISOString(),
  }));
  const path = folder.file('plants.ndjson');
  return Bun.write(path, rows.map((row) => `${JSON.stringify(row)}\n`).join('')).then(() => path);
};

const startLoad = (url: string, authorization: string) => {
  const file = join(import.meta.dir, 'support/list-load.ts');
  const child = Bun.spawn([process.execPath, file, url, authorization.slice('Bearer '.length), `${clients}`], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  return async (): Promise<Record<string, number>> => {
    await child.stdin.end();
    return JSON.parse(await child.stdout.text());
  };
};

const table: Record<string, string | number>[] = [];

const run = async (engine: string, database: string, file: string): Promise<void> => {
  const headers = await createDatabase(database);
  await fill(database, file);
  await using server = await startServer(database);
  const alone = await measureTimes({ server, headers, measuredMs, expect });
  table.push({ engine, list: 'none', ...toCells(alone) });
  for (const [, list, path] of rounds.eachOf(lists)) {
    const stop = startLoad(`${server.url}${path}`, headers['authorization'] ?? '');
    await Bun.sleep(500);
    const fromMs = performance.now();
    const beside = await measureTimes({ server, headers, measuredMs, expect });
    const toMs = performance.now();
    const statuses = await stop();
    for (const [kind, { medianMs, slowestMs }] of Object.entries(beside)) {
      expectWithin(medianMsMax, `${engine}, ${list}: the median ${kind}`, { fromMs, toMs, ms: medianMs });
      expectWithin(slowestMsMax, `${engine}, ${list}: the slowest ${kind}`, { fromMs, toMs, ms: slowestMs });
    }
    const others = Object.keys(statuses).filter((status) => status !== '200' && status !== '503');
    expect(others.length === 0, `${engine}, ${list}: ${others}`);
    expect((statuses['200'] ?? 0) > 0, `${engine}, ${list}: no response`);
    table.push({ engine, list, ...toCells(beside), ...statuses });
    console.error(JSON.stringify(table.at(-1)));
  }
};

using folder = temporaryFolder();
const file = await plantsFile(folder);
for (const { name } of choose([{ name: 'SQLite' }, { name: 'PostgreSQL' }])) {
  if (name === 'SQLite') {
    await run(name, folder.file('plants.sqlite'), file);
    continue;
  }
  await using postgres = await startPostgres();
  await run(name, postgres.url, file);
}
console.table(table);
end({ rounds: rounds.count(), plants, clients });
