/** The migrations of both engines, as drizzle-kit has generated them. */
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sqliteMigrations from '../../db/migrations.json' with { type: 'json' };
import { engines, renderList } from '../../migrations.ts';
import { type Attempt, deliveryStates, stateOf, testMessagesPendingMax } from '../../src/deliveries/delivery.ts';
import { openSqliteStore } from '../../src/engines/sqlite.ts';
import { eventIdOf, keyTextOf, plantEventTypes } from '../../src/events/event.ts';
import postgresMigrations from '../../src/postgres/db/migrations.json' with { type: 'json' };
import { parsePostgresUrl } from '../../src/postgres/driver/url.ts';
import { migrate as migratePostgres } from '../../src/postgres/migrate.ts';
import { openPostgresStore } from '../../src/postgres/open.ts';
import { addressesOf } from '../../src/postgres/session/address.ts';
import { connect } from '../../src/postgres/session/connect.ts';
import { migrate as migrateSqlite } from '../../src/sqlite/migrate.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { fileOf } from '../support/pictures/pictures.ts';
import { bareDatabase } from '../support/postgres/postgres-database.ts';
import { behaviourEngines, openTestStore } from '../support/store/engines.ts';
import { insertPlant } from '../support/store/older-schema.ts';
import { createOlderSqlite, openDatabase } from '../support/store/sqlite.ts';
import { neverLeased } from '../support/webhooks/attempts.ts';

const leaf = fileOf('leaf.png');
const root = join(import.meta.dirname, '../..');

describe.each([
  { dialect: 'sqlite', tables: 'db/sqlite.ts', files: 'db/migrations', migrations: sqliteMigrations },
  {
    dialect: 'postgresql',
    tables: 'src/postgres/db/tables.ts',
    files: 'src/postgres/db/migrations',
    migrations: postgresMigrations,
  },
])('$dialect', ({ dialect, tables, files, migrations }) => {
  const folder = join(root, files);

  test('the program includes every migration that drizzle-kit has generated, in order', () => {
    const generated = readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => ({ name: name.slice(0, -'.sql'.length), sql: readFileSync(join(folder, name), 'utf8') }));
    expect(generated.length).toBeGreaterThan(0);
    expect(migrations).toEqual(generated);
  });

  test('the list is the one that the journal of drizzle-kit gives: `bun run migrations` writes it', () => {
    const engine = engines.find((one) => one.folder === files);
    expect(engine && renderList(engine)).toBe(readFileSync(`${folder}.json`, 'utf8'));
  });

  test(`the migrations make the tables of ${tables}: drizzle-kit finds nothing more to generate`, async () => {
    using scratch = temporaryFolder();
    const out = scratch.file('migrations');
    await Bun.$`cp -R ${folder} ${out}`.quiet();
    const before = readdirSync(out);
    const schema = join(root, tables);
    const kit = join(root, 'node_modules/drizzle-kit/bin.cjs');
    // drizzle-kit takes its output folder relative to where it runs.
    const { exitCode, stdout } =
      await Bun.$`${process.execPath} ${kit} generate --dialect ${dialect} --schema ${schema} --out migrations`
        .cwd(scratch.path)
        .nothrow()
        .quiet();
    expect(stdout.toString()).toContain('No schema changes');
    expect(exitCode).toBe(0);
    expect(readdirSync(out)).toEqual(before);
  });
});

/** Runs these statements on a database of 0.1.0, and then opens it with this program. */
const openers: Readonly<Record<string, (statements: readonly string[]) => Promise<Store & AsyncDisposable>>> = {
  SQLite: async (statements) => {
    const folder = temporaryFolder();
    const path = folder.file('p.sqlite');
    createOlderSqlite(path, 8, (client) => {
      for (const statement of statements) client.run(statement);
    });
    const store = openSqliteStore(path, { upgrade: true });
    const dispose = async (): Promise<void> => {
      await store.close();
      folder[Symbol.dispose]();
    };
    return { ...store, [Symbol.asyncDispose]: dispose };
  },
  PostgreSQL: async (statements) => {
    const database = await bareDatabase();
    const addresses = addressesOf(parsePostgresUrl(database.url));
    const client = await connect(addresses, async () => {});
    await migratePostgres(client, { create: true, migrations: postgresMigrations.slice(0, 3) });
    for (const statement of statements) await client.simple(statement);
    await client.simple('UPDATE log_head SET sequence = 3');
    client.close();
    const store = openPostgresStore(addresses, { upgrade: true });
    const dispose = async (): Promise<void> => {
      await store.close();
      await database[Symbol.asyncDispose]();
    };
    return { ...store, [Symbol.asyncDispose]: dispose };
  },
};

describe.each(Object.entries(openers))('a database of 0.1.0 on %s', (_, open) => {
  const at = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;
  const now = { now: at(5), latest: at(8), limit: 100 };
  const good: Attempt = { at: at(2), durationMs: 5, status: 204 };
  const bad: Attempt = { at: at(2), durationMs: 5, status: 500, excerpt: 'oh "no"' };
  const text = (value: string | null): string => (value === null ? 'NULL' : `'${value}'`);
  const webhook = (id: string): string =>
    `INSERT INTO webhooks (id, url, events, secrets, position, created_at)
      VALUES ('${id}', 'https://example.com/', 'plant.created', '[{"text":"s"}]', 3, '${at(1)}')`;
  const delivery = (id: string, sequence: number, attempt: Attempt, next: string | null, requested: string | null) =>
    `INSERT INTO deliveries VALUES
      ('${id}', ${sequence}, '${JSON.stringify([attempt])}', 1, ${text(next)}, ${text(requested)})`;
  const testMessage = (
    number: number,
    id: string,
    sequence: number,
    attempts: readonly Attempt[],
    next: string | null,
    requested: string | null,
  ): string =>
    `INSERT INTO webhook_tests VALUES (${number}, '${id}', ${sequence}, '${at(3)}', '${JSON.stringify(attempts)}',
      ${attempts.length}, ${text(next)}, ${text(requested)})`;
  const content = [
    ...[1, 2, 3].map((n) => `INSERT INTO events VALUES (${n}, 'plant.created', '${at(1)}', ${n}, 'n', NULL, NULL)`),
    webhook('wh_a'),
    webhook('wh_b'),
    delivery('wh_a', 1, good, null, null),
    delivery('wh_a', 2, bad, at(6), null),
    delivery('wh_a', 3, bad, at(4), at(4)),
    delivery('wh_b', 1, bad, at(4), null),
    delivery('wh_deleted', 2, bad, at(4), null),
    // Its event is not in the log. No query found it.
    delivery('wh_a', 0, bad, at(4), at(4)),
    testMessage(1, 'wh_a', 0, [good], null, null),
    testMessage(2, 'wh_a', 2, [bad], at(4), null),
    testMessage(3, 'wh_b', 2, [], at(3), at(3)),
    testMessage(5, 'wh_a', 2, [], at(3), at(3)),
    testMessage(6, 'wh_deleted', 3, [bad], null, null),
  ];
  const placesOf = (deliveries: Awaited<ReturnType<Store['deliveries']['list']>>): string[] =>
    deliveries.map(({ event }) => keyTextOf(event));

  test('it lists the same deliveries and test messages, and its events', async () => {
    await using store = await open(content);
    const all = await store.deliveries.list('wh_a', { limit: 10 });
    expect(placesOf(all)).toEqual(['3', '2t5', '2t2', '2', '1', '0t1']);
    const plant = { type: 'plant.created', timestamp: at(1), name: 'n' } as const;
    const test = { type: 'webhook.test', timestamp: at(3) } as const;
    const pending = { webhookId: 'wh_a', attempts: [bad], attemptsInRound: 1 };
    const requested = { attempts: [], attemptsInRound: 0, nextAttemptAt: at(3), requestedAt: at(3) };
    expect(all).toEqual([
      { ...pending, event: { ...plant, sequence: 3n, id: 3n }, nextAttemptAt: at(4), requestedAt: at(4) },
      { ...pending, event: { ...test, sequence: 2n, number: 5n }, ...requested },
      { ...pending, event: { ...test, sequence: 2n, number: 2n }, nextAttemptAt: at(4) },
      { ...pending, event: { ...plant, sequence: 2n, id: 2n }, nextAttemptAt: at(6) },
      { ...pending, event: { ...plant, sequence: 1n, id: 1n }, attempts: [good] },
      { ...pending, event: { ...test, sequence: 0n, number: 1n }, attempts: [good] },
    ]);
    for (const [index, { event }] of all.entries()) {
      const page = { limit: 10, after: eventIdOf(event) };
      expect(await store.deliveries.list('wh_a', page)).toEqual(all.slice(index + 1));
      expect((await store.events.list(page)).map(({ sequence }) => sequence)).toEqual(
        [1n, 2n, 3n].filter((sequence) => sequence > event.sequence),
      );
    }
    expect(placesOf(await store.deliveries.list('wh_b', { limit: 10 }))).toEqual(['2t3', '1']);
    expect((await store.events.list({ limit: 10 })).map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n]);
  });

  test('it has the same plants, and they can have pictures', async () => {
    await using store = await open([...content, insertPlant]);
    const plant = await store.plants.get(1n);
    expect(plant && { ...plant }).toEqual({ id: 1n, name: 'n', createdAt: at(1), updatedAt: at(1) });
    expect((await store.plants.find({ limit: 10 })).plants).toEqual([plant] as never);
    expect(await store.pictures.put(1n, leaf, {})).toBe(true);
    expect(await store.pictures.get(1n)).toMatchObject({ picture: leaf.picture });
    expect(await store.plants.get(1n)).toMatchObject({ name: 'n', picture: leaf.picture });
    expect((await store.events.list({ limit: 10 })).at(-1)).toMatchObject({
      sequence: 4n,
      type: 'plant.picture.updated',
      id: 1n,
      picture: leaf.picture,
    });
  });

  test('a webhook for all events of then is for all events, and others keep the types that they list', async () => {
    const some = 'plant.deleted plant.created';
    const all = 'plant.created plant.updated plant.deleted';
    const typesOf = (id: string, types: string) => webhook(id).replace("'plant.created'", `'${types}'`);
    await using store = await open([...content, typesOf('wh_all', all), typesOf('wh_some', some)]);
    const listed = (await store.webhooks.list()).map(({ id, events }) => [id, events]);
    expect(Object.fromEntries(listed)).toEqual({
      wh_a: ['plant.created'],
      wh_b: ['plant.created'],
      wh_all: plantEventTypes,
      wh_some: some.split(' '),
    });
  });

  test('the deliveries are listed by the states that their attempts had', async () => {
    await using store = await open(content);
    const listed: [string, string[]][] = [];
    for (const state of deliveryStates) {
      const found = await store.deliveries.listByState(state, { limit: 20 });
      expect(found.map(stateOf)).toEqual(found.map(() => state));
      listed.push([state, found.map(({ event, webhookId }) => `${keyTextOf(event)} ${webhookId}`)]);
    }
    expect(Object.fromEntries(listed)).toEqual({
      pending: ['3 wh_a', '2t5 wh_a', '2t3 wh_b', '2t2 wh_a', '2 wh_deleted', '2 wh_a', '1 wh_b'],
      delivered: ['1 wh_a', '0t1 wh_a'],
      failed: ['3t6 wh_deleted'],
    });
  });

  test('the same deliveries are due, and no event counts as tried because of a test message', async () => {
    await using store = await open(content);
    expect(placesOf(await store.deliveries.readDue('wh_a', now))).toEqual(['2t5', '3', '2t2']);
    expect(placesOf(await store.deliveries.readDue('wh_a', { ...now, now: at(7) }))).toEqual(['2t5', '3', '2t2', '2']);
    expect(placesOf(await store.deliveries.readDue('wh_b', now))).toEqual(['2t3', '1']);
    const untried = await store.deliveries.readUntried('wh_b', 0n, 10);
    expect(untried.events.map(({ sequence }) => sequence)).toEqual([2n, 3n]);
  });

  test('each delivery and test message can be sent again and recorded, and a new test message has the next number', async () => {
    await using store = await open(content);
    for (const before of await store.deliveries.list('wh_a', { limit: 10 })) {
      const again = await store.deliveries.redeliver('wh_a', eventIdOf(before.event));
      expect(again).toMatchObject({ event: before.event, attempts: before.attempts, attemptsInRound: 0 });
      const { nextAttemptAt: _, requestedAt: __, ...after } = { ...again, attempts: [good], attemptsInRound: 1 };
      await store.deliveries.record([{ before: again, after }], new Map(), neverLeased);
    }
    expect(await store.deliveries.readDue('wh_a', now)).toEqual([]);
    expect((await store.deliveries.list('wh_a', { limit: 10 })).map(({ attempts }) => attempts)).toEqual(
      Array(6).fill([good]),
    );
    expect((await store.deliveries.createTestMessage('wh_b')).event).toMatchObject({ sequence: 3n, number: 7n });
  });

  test('pending test messages count, are removed with their webhook, and settled ones are pruned by their age', async () => {
    await using store = await open(content);
    for (let count = 2; count < testMessagesPendingMax; count += 1) await store.deliveries.createTestMessage('wh_a');
    await expect(store.deliveries.createTestMessage('wh_a')).rejects.toMatchObject({ code: 'too_many_tests' });
    // Those of wh_a and of the deleted webhook. Events stay, since deliveries of the first one are pending.
    expect(await store.events.prune(at(4), 100)).toBe(2);
    await store.webhooks.delete('wh_a');
    expect(placesOf(await store.deliveries.readDue('wh_a', now))).not.toContain('2t2');
    await store.webhooks.delete('wh_b');
    expect(await store.events.prune(at(4), 100)).toBe(2);
  });
});

/** What a program does at its start that has only the migrations before this one. */
const olderPrograms: Readonly<Record<string, (url: string, migration: RegExp) => Promise<unknown>>> = {
  SQLite: async (path, migration) => {
    using client = openDatabase(path);
    migrateSqlite(client, before(sqliteMigrations, migration));
  },
  PostgreSQL: async (url, migration) => {
    const client = await connect(addressesOf(parsePostgresUrl(url)), async () => {});
    const migrations = before(postgresMigrations, migration);
    return migratePostgres(client, { create: true, migrations }).finally(() => client.close());
  },
};

const before = <Migration extends { readonly name: string }>(all: readonly Migration[], migration: RegExp) =>
  all.slice(
    0,
    all.findIndex(({ name }) => migration.test(name)),
  );

test.each(behaviourEngines.map(({ name, createDatabase }) => ({ name, createDatabase })))(
  'a program of before pictures refuses a database on $name that has one, and does not change it',
  async ({ name, createDatabase }) => {
    await using database = await createDatabase();
    const store = await openTestStore(database.url);
    await store.plants.create({ id: 1n, name: 'Monstera' });
    await store.pictures.put(1n, leaf, {});
    await store.close();
    const refused = olderPrograms[name]?.(database.url, /_pictures$/);
    await expect(refused).rejects.toThrow('was written by a newer version of this program');
    const again = await openTestStore(database.url);
    expect(await again.pictures.get(1n)).toMatchObject({ picture: leaf.picture });
    await again.close();
  },
);
