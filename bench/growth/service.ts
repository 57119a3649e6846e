/** The service on a store of one size: the CPU time of its requests and commands, and of the database server for them. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { openSqliteStore } from '../../src/engines/sqlite.ts';
import { logStartId } from '../../src/events/event.ts';
import { cursorOf } from '../../src/plants/order.ts';
import { engine as postgres } from '../../src/postgres/engine.ts';
import type { Store } from '../../src/store/store.ts';
import { pngOfBytes } from '../../tests/support/pictures/pictures.ts';
import { middle } from '../support/measure.ts';
import type { Server } from '../support/postgres-server.ts';
import { plantStore, type Running, run } from '../support/servers.ts';
import type { Figures, Growth } from './sizes.ts';

/** One plant in a million has this tag: the last one of the file. */
export const rareTag = 'rare';
const requests = 2000;
const clients = 16;
/** The least of them counts, since other work of the machine only adds to it. */
export const turnsOfEach = 3;

const pictureBytes = 50_000;

/** A picture that no plant has yet, and that cannot be compressed. */
export const newPicture = () => pngOfBytes(pictureBytes, randomBytes(pictureBytes));

/** Writes a file of plants with ids from 1. Their tags are one of a hundred, except that of the last plant. */
export const writePlants = async (path: string, plants: number): Promise<void> => {
  const file = Bun.file(path).writer();
  file.write('id,name,tag\n');
  for (let id = 1; id <= plants; id += 1)
    file.write(`${id},Monstera ${id},${id === plants ? rareTag : `tag ${id % 100}`}\n`);
  await file.end();
};

/** The CPU time of all threads of a process, in microseconds, from the scheduler. */
const cpuUsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce(
    (sum, task) => sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1000,
    0,
  );

export interface Place {
  readonly plants: number;
  readonly database: string;
  /** A file of this many plants. */
  readonly file: string;
  readonly backup: string | undefined;
  /** Gives each plant a picture, without the service. */
  readonly fill?: () => Promise<void>;
  /** Runs the maintenance of the database server, which would count in what is measured next. */
  readonly settle: () => Promise<void>;
  /** The command that starts the program. */
  readonly program: readonly string[];
  readonly server: Pick<Server, 'cpuSeconds'> | undefined;
}

export const measureService = async (place: Place): Promise<Growth['service'] & Figures> => {
  const { plants, database, file, backup, program, server, settle, fill } = place;
  const serverUs = async (): Promise<number> => 1_000_000 * ((await server?.cpuSeconds()) ?? 0);
  const command = async (...args: string[]): Promise<number> => {
    const before = await serverUs();
    const child = Bun.spawn([...program, ...args], { stdout: 'ignore', stderr: 'pipe' });
    if ((await child.exited) !== 0) throw new Error(`${args[0]} has failed: ${await child.stderr.text()}`);
    const own = Number(child.resourceUsage()?.cpuTime.total);
    return (own + (await serverUs()) - before) / plants;
  };
  const imported = await command('import', file, '--database', database);
  await fill?.();
  await settle();
  const exported = await command('export', '-', '--database', database);
  const saved = backup === undefined ? undefined : await command('backup', backup, '--database', database);

  const started: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await using running = await run(plantStore({ database, program }));
    started.push(cpuUsOf(running.pid) / 1000);
  }
  await using running = await run(plantStore({ database, program }));
  const measure = async (count: number, ask: (n: number) => Promise<unknown>): Promise<number> => {
    const all = async (total: number): Promise<void> => {
      let next = 0;
      await Promise.all(
        Array.from({ length: clients }, async () => {
          while (next < total) {
            next += 1;
            await ask(next);
          }
        }),
      );
    };
    await all(count / 2);
    const turns: number[] = [];
    while (turns.length < turnsOfEach) {
      const before = cpuUsOf(running.pid) + (await serverUs());
      await all(count);
      turns.push((cpuUsOf(running.pid) + (await serverUs()) - before) / count);
    }
    return Math.min(...turns);
  };
  const get = (path: string): Promise<void> => ask(running, path);
  const page = (after: number): Promise<number> =>
    measure(requests / 4, () => get(`/plants?limit=100&after=${cursorOf('id', { id: BigInt(after) })}`));
  const random = (): number => 1 + Math.floor(plants * Math.random());
  let nextId = 1_000_000_000;
  const figures = {
    get: await measure(requests, () => get(`/plants/${random()}`)),
    create: await measure(requests, () => {
      nextId += 1;
      const body = JSON.stringify({ id: nextId, name: 'Monstera', tag: 'tag 1' });
      return ask(running, '/plants', { method: 'POST', body });
    }),
    'list, first': await measure(requests / 4, () => get('/plants?limit=100')),
    'list, middle': await page(plants / 2),
    'list, last': await page(plants - 101),
    'rare tag': await measure(requests, () => get(`/plants?tag=${rareTag}`)),
    stream: await measureStream(running, Math.min(plants, streamed), serverUs),
    ...(fill && {
      'get picture': await measure(requests / 4, () => get(`/plants/${random()}/picture`)),
      'put picture': await measure(requests / 4, () =>
        ask(running, `/plants/${random()}/picture`, { method: 'PUT', type: 'image/png', body: newPicture() }),
      ),
    }),
  };
  await settle();
  const size = server ? undefined : statSync(database).size / plants;
  return {
    ...figures,
    prune: await measurePrune(database, serverUs),
    import: imported,
    export: exported,
    ...(saved !== undefined && { backup: saved }),
    start: middle(started),
    ...(size !== undefined && { size }),
  };
};

interface Content {
  readonly method: string;
  readonly type?: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

const ask = async ({ url, token }: Running, path: string, content?: Content): Promise<void> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': content?.type ?? 'application/json' };
  const response = await fetch(url + path, { headers, ...(content && { method: content.method, body: content.body }) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} got the status ${response.status}.`);
};

const streamed = 10_000;

/** The first events of the log, as one stream gets them. */
const measureStream = async (running: Running, streamed: number, serverUs: () => Promise<number>): Promise<number> => {
  const before = cpuUsOf(running.pid) + (await serverUs());
  const abort = new AbortController();
  const response = await fetch(`${running.url}/events`, {
    headers: { authorization: `Bearer ${running.token}`, accept: 'text/event-stream', 'last-event-id': logStartId },
    signal: abort.signal,
  });
  let events = 0;
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    events += decoder.decode(chunk, { stream: true }).split('\ndata: ').length - 1;
    if (events >= streamed) break;
  }
  const cpuUs = cpuUsOf(running.pid) + (await serverUs()) - before;
  abort.abort();
  return cpuUs / events;
};

const batches = 20;
const batchRows = 200;

/** The oldest events, in batches as the service removes them. */
const measurePrune = async (database: string, serverUs: () => Promise<number>): Promise<number> => {
  const store: Store = database.startsWith('postgres')
    ? postgres.parse(database).open({ create: false })
    : openSqliteStore(database, { create: false });
  await store.opened;
  const future = new Date(Date.now() + 1000).toISOString();
  await store.events.prune(future, batchRows);
  const before = process.cpuUsage();
  const serverBefore = await serverUs();
  let removed = 0;
  for (let batch = 0; batch < batches; batch += 1) removed += await store.events.prune(future, batchRows);
  const { user, system } = process.cpuUsage(before);
  const cpuUs = user + system + (await serverUs()) - serverBefore;
  await store.close();
  if (removed !== batches * batchRows) throw new Error(`${removed} events were removed.`);
  return cpuUs / removed;
};
