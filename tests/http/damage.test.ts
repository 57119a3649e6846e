/** The service on a SQLite database whose pages are damaged while it runs. */
import { expect, test } from 'bun:test';
import { damaged, storeDamaged } from '../../src/base/app-error.ts';
import { generateSecret } from '../../src/base/signature.ts';
import { openSqliteStore } from '../../src/engines/sqlite.ts';
import { plantEventTypes } from '../../src/events/event.ts';
import { startPruning } from '../../src/events/prune.ts';
import { createLog, type Log } from '../../src/log.ts';
import { startScheduler } from '../../src/sender/scheduler.ts';
import { create, createTestApp, type TestApp } from '../support/app/app.ts';
import { temporaryFolder } from '../support/folder.ts';
import { damagePagesWith, fillDatabase } from '../support/store/damaged-file.ts';
import { openDatabase } from '../support/store/sqlite.ts';
import { parseMetrics, sampleValue } from '../support/telemetry/prometheus.ts';
import { until } from '../support/until.ts';

/** The app on a database with plants, and the messages of its log with their levels. */
const openApp = async (damage: string) => {
  const folder = temporaryFolder();
  const path = folder.file('p.sqlite');
  await fillDatabase(path);
  const filling = openSqliteStore(path);
  const secret = generateSecret();
  await filling.webhooks.create({ url: 'https://example.com/', events: plantEventTypes, secret });
  await filling.plants.create({ id: 4000n, name: 'sent' });
  await filling.close();
  const lines: string[] = [];
  const log: Log = Object.assign(Object.create(createLog('silent')), {
    error: (_: object, message: string) => lines.push(`error: ${message}`),
    warn: (_: object, message: string) => lines.push(`warn: ${message}`),
  });
  const store = openSqliteStore(path);
  const app = await createTestApp({ store, log });
  damagePagesWith(path, damage);
  return {
    path,
    store,
    app,
    log,
    lines,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
};

const isDamaged = async ({ send }: TestApp): Promise<number> =>
  sampleValue(parseMetrics(await (await send('GET', '/metrics')).text()), 'plant_store_database_damaged');

test('damage gets 50000 without Retry-After, an error in the log, 503 of the readiness probe, and a metric', async () => {
  await using scene = await openApp('rotten');
  const { app, lines } = scene;
  expect(await isDamaged(app)).toBe(0);
  expect((await app.send('GET', '/readyz')).status).toBe(200);

  const responses = [await app.send('GET', '/plants/1500'), await create(app, '{"id":5000,"name":"n"}')];
  for (const response of responses) {
    expect([response.status, await response.json()]).toEqual([500, { error: 50000, message: damaged.message }]);
    expect(response.headers.get('retry-after')).toBeNull();
  }
  expect(lines).toEqual(responses.map(() => `error: ${damaged.message}`));
  const ready = await app.send('GET', '/readyz');
  expect([ready.status, await ready.json()]).toEqual([503, { error: 50300, message: storeDamaged.message }]);
  expect(await isDamaged(app)).toBe(1);
  expect((await app.send('GET', '/plants/1')).status).toBe(200);
  expect((await app.send('GET', '/healthz')).status).toBe(200);
});

test('the metrics of the process are there although the log of events is damaged', async () => {
  await using scene = await openApp('plant.created');
  expect(await isDamaged(scene.app)).toBe(1);
});

test('the pruning finds damage, and logs it as an error', async () => {
  await using scene = await openApp('plant.created');
  const { store, log, lines } = scene;
  const stopPruning = startPruning({ events: store.events, retentionMs: 0, log });
  await until(() => lines.length > 0);
  await stopPruning();
  expect([lines, store.isDamaged()]).toEqual([[`error: ${damaged.message}`], true]);
});

test('the sender finds damage, and logs it as an error', async () => {
  await using scene = await openApp('plant.created');
  const { store, log, lines } = scene;
  const scheduler = startScheduler({ store, post: () => Promise.reject(new Error('nothing is sent')), log });
  await until(() => lines.length > 0);
  await scheduler.stop(0);
  expect(store.isDamaged()).toBe(true);
  expect(new Set(lines)).toEqual(new Set([`error: ${damaged.message}`]));
});

test('the look-up of a token on a damaged page gets 50000', async () => {
  await using scene = await openApp('no page has this text');
  const { app, path, store } = scene;
  using other = openDatabase(path);
  const id = (await store.tokens.list())[0]?.id ?? '';
  // The reads of a turn of the event loop share a transaction, which ends with it.
  await new Promise(setImmediate);
  other.run('PRAGMA wal_checkpoint(TRUNCATE)');
  damagePagesWith(path, id);
  // After a commit of another connection, no page is cached.
  other.run("UPDATE plants SET tag = 'other' WHERE id = 1");
  expect((await app.send('GET', '/token')).status).toBe(500);
});
