/** The last use of each token, to the hour. */
import { expect, test } from 'bun:test';
import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/log.ts';
import { createUses, usedMax } from '../../src/tokens/uses.ts';
import { createTestApp } from '../support/app/app.ts';
import { giveToken } from '../support/network/served.ts';
import { freshDatabase } from '../support/postgres/postgres-database.ts';
import { runCommand } from '../support/programs/command.ts';
import { startServer } from '../support/programs/process.ts';
import { createTestDatabase, onBothEngines } from '../support/store/engines.ts';
import { until } from '../support/until.ts';

/** Records after each millisecond. `writes` are the calls of the store; the first `failures` of them fail. */
const createRecorder = (failures = 0) => {
  const writes: (readonly [ids: readonly string[], hour: string])[] = [];
  const clock = { now: new Date('2026-11-27T09:59:00Z') };
  const tokens = {
    recordUses: async (ids: readonly string[], hour: string) => {
      writes.push([ids, hour]);
      if (writes.length <= failures) throw new Error('broken');
    },
  };
  const uses = createUses({ tokens, log: createLog('silent'), everyMs: 1, now: () => clock.now });
  return { uses, writes, clock };
};

test('a token that is used often is written once an hour', async () => {
  const { uses, writes, clock } = createRecorder();
  const stop = uses.start();
  for (let round = 0; round < 20; round += 1) {
    uses.add('a');
    uses.add('b');
    await Bun.sleep(1);
  }
  await until(() => writes.length === 1);
  clock.now = new Date('2026-11-27T10:00:30Z');
  // The hour of a use is that in which its minute began, which is never too late.
  uses.add('c');
  await until(() => writes.length === 2);
  uses.add('a');
  await until(() => writes.length === 3);
  await stop();
  const [nine, ten] = ['2026-11-27T09:00:00.000Z', '2026-11-27T10:00:00.000Z'];
  expect(writes).toEqual([
    [['a', 'b'], nine],
    [['c'], nine],
    [['a'], ten],
  ]);
});

test('what could not be written is written later, and a stop writes the last uses', async () => {
  const { uses, writes } = createRecorder(1);
  const stop = uses.start();
  uses.add('a');
  await until(() => writes.length === 2);
  uses.add('b');
  await stop();
  expect(writes.map(([ids]) => ids)).toEqual([['a'], ['a'], ['b']]);
});

test('the number of tokens that wait is limited', async () => {
  const { uses, writes } = createRecorder();
  for (let id = 0; id <= usedMax; id += 1) uses.add(`${id}`);
  await uses.start()();
  expect(writes.map(([ids]) => ids.length)).toEqual([usedMax]);
});

test('a request with a token in force is a use of it, and a refused one is none', async () => {
  const used: string[] = [];
  const app = await createTestApp({ config: readConfig({}, {}), onTokenUse: (id) => used.push(id) });
  const [token] = await app.store.tokens.list();
  const id = token?.id ?? '';
  await app.send('GET', '/token');
  await app.send('GET', '/plants/1');
  await app.send('GET', '/plants', { authorization: 'Bearer x' });
  expect(used).toEqual([id, id]);
  await app.store.tokens.revoke(id);
  await app.send('GET', '/token');
  expect(used).toHaveLength(2);
});

/** The last column of each line of `token list`. */
const lastUses = async (database: string): Promise<readonly (string | undefined)[]> =>
  (await runCommand(['token', 'list', '--database', database])).stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t').at(-1));

onBothEngines(() => {
  test('token list prints the hour of the last request, which serve records when it stops', async () => {
    await using database = await createTestDatabase();
    const headers = { authorization: `Bearer ${await giveToken(database.url)}` };
    await giveToken(database.url);
    expect(await lastUses(database.url)).toEqual(['-', '-']);
    await using server = await startServer(database.url);
    expect((await fetch(`${server.url}/token`, { headers })).status).toBe(200);
    server.kill();
    expect(await server.exited).toBe(0);
    const [used, unused] = await lastUses(database.url);
    expect(used).toMatch(/^20\d\d-\d\d-\d\dT\d\d:00:00\.000Z$/);
    expect(unused).toBe('-');
  });
});

test('a read-only service records no use', async () => {
  await using database = await freshDatabase();
  const headers = { authorization: `Bearer ${await giveToken(database.url)}` };
  await using server = await startServer(database.url, { args: ['--read-only'] });
  expect((await fetch(`${server.url}/token`, { headers })).status).toBe(200);
  server.kill();
  expect(await server.exited).toBe(0);
  expect(await lastUses(database.url)).toEqual(['-']);
  expect(server.log.filter(({ level }) => level !== 'info')).toEqual([]);
});
