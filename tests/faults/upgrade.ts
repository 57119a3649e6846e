/**
 * Upgrades a database while processes of an earlier version use it under load.
 *
 * In the scenes `service` a service runs with a webhook, and a newer program arrives: a copy of the sources with one more migration. Its
 * commands must refuse the database, except for `backup`, whose copy the older program must be able to use. Meanwhile the service must
 * answer everything and send every event. Then the newer program migrates. The older service must go on until it is stopped, must not
 * start again, and the newer one must have every change, also of pictures.
 *
 * In the other scenes the database has the schema of each earlier version. Clients stand in for its service, since that cannot be built
 * from these sources: they commit plants with the columns of that version. A command must refuse the database, and then `migrate`,
 * `serve` or `import` must migrate it within a limit of time. Every committed plant must be there, and no other, and each delivery in its
 * state, and a plant can have a picture.
 *
 *     bun tests/faults/upgrade.ts [--rounds 52] [--scene 'SQLite service']        a round is one upgrade
 */

import { Database } from 'bun:sqlite';
import { writeFileSync } from 'node:fs';
import { SQL } from 'bun';
import sqliteMigrations from '../../db/migrations.json' with { type: 'json' };
import { isPostgresUrl } from '../../src/config/setting-values.ts';
import postgresMigrations from '../../src/postgres/db/migrations.json' with { type: 'json' };
import { temporaryFolder } from '../support/folder.ts';
import { pictureOf } from '../support/pictures/pictures.ts';
import { type Load, sendInTurn, startLoad } from '../support/plant-load.ts';
import { auditLog } from '../support/postgres/postgres-audit.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { runProgram, startServer, underTest } from '../support/programs/process.ts';
import { openTestStore } from '../support/store/engines.ts';
import { createOlder, refusal, refusingCommands } from '../support/store/older-schema.ts';
import { until } from '../support/until.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';
import { comesTrue } from './support/comes-true.ts';
import { createDatabase, inspectDatabase } from './support/database.ts';
import { readOptions } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';
import { createNewerProgram, nextMigration } from './upgrading/newer-program.ts';
import { olderDeliveries, writeOlderDeliveries } from './upgrading/older-deliveries.ts';
import { startOlderWriters } from './upgrading/older-writers.ts';

const { rounds, random, choose } = readOptions(52);
const { expect, expectWithin, end } = createVerdict();
const migratedMsMax = 15_000;

await using open = new AsyncDisposableStack();
const folder = open.use(temporaryFolder());
const newer = createNewerProgram(folder.file('newer'));
const commands = [
  ...(await refusingCommands()).map((args) => (database: string) => [...args, '--database', database]),
  (database: string) => ['copy', database, folder.file('unused.sqlite')],
];

let databases = 0;
let server: ReturnType<typeof startPostgres> | undefined;
const createEmpty = {
  SQLite: async () => folder.file(`${++databases}.sqlite`),
  PostgreSQL: async () => {
    server ??= startPostgres().then((postgres) => open.use(postgres));
    const { url } = await server;
    databases += 1;
    await using sql = new SQL(url, { max: 1 });
    await sql.unsafe(`CREATE DATABASE upgrade${databases}`);
    return url.replace(/postgres$/, `upgrade${databases}`);
  },
};

/** The values of the first column. */
const query = async (database: string, text: string): Promise<unknown[]> => {
  if (isPostgresUrl(database)) {
    await using sql = new SQL(database, { max: 1 });
    return (await sql.unsafe(text).values()).flat();
  }
  using client = new Database(database);
  return client.query(text).values().flat();
};

const migrationsOf = (database: string) => query(database, 'SELECT name FROM schema_migrations ORDER BY name');

/** Runs commands that must not migrate. Each must refuse the database and change nothing. */
const expectRefusals = async (name: string, database: string, program = underTest, some = commands): Promise<void> => {
  const before = await migrationsOf(database);
  for (const toArguments of some) {
    const args = toArguments(database);
    const { exitCode, stdout, stderr } = await runProgram(args, { program: ['timeout', '20', ...program] });
    const isRefused = exitCode === 1 && stdout === '' && refusal.test(stderr);
    expect(isRefused, `${name}: ${args[0]} ended with ${exitCode}: ${stderr}`);
  }
  expect(Bun.deepEquals(await migrationsOf(database), before), `${name}: a command has changed the schema`);
};

/** A backup by the newer program, which the older one must be able to use. */
const expectBackup = async (name: string, database: string): Promise<void> => {
  const copy = folder.file(`${++databases}.backup.sqlite`);
  const { exitCode, stderr } = await runProgram(['backup', copy, '--database', database], { program: newer });
  expect(exitCode === 0, `${name}: backup ended with ${exitCode}: ${stderr}`);
  const restored = await runProgram(['export', '-', '--database', copy]);
  expect(restored.exitCode === 0, `${name}: the older program refuses the backup: ${restored.stderr}`);
};

/** The service must acknowledge more changes. */
const expectService = async (name: string, load: Load): Promise<void> => {
  const before = load.acknowledged();
  const goesOn = await comesTrue(() => load.acknowledged() >= before + 50, load.acknowledged);
  expect(goesOn, `${name}: the older service no longer acknowledges changes`);
};

type EngineName = keyof typeof createEmpty;

const upgradeService = async (name: string, engine: EngineName): Promise<void> => {
  const database = await createEmpty[engine]();
  const headers = await createDatabase(database);
  using receiver = createReceiver();
  const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
  await runProgram(['webhook', 'add', receiver.url, '--database', database], { env });
  await using older = await startServer(database, { env });
  await using load = startLoad(sendInTurn([older.url], headers), { random, pauseMs: 20 });
  await expectService(name, load);

  await expectRefusals(name, database, newer);
  if (engine === 'SQLite') await expectBackup(name, database);
  await expectService(name, load);
  const startedAtMs = performance.now();
  const migrated = await runProgram(['migrate', '--database', database], { program: newer });
  expectWithin(migratedMsMax, `${name}: migrate`, { fromMs: startedAtMs });
  expect(migrated.stdout === `${nextMigration}\n`, `${name}: migrate printed ${migrated.stdout}${migrated.stderr}`);
  await expectService(name, load);
  await load.stop();
  for (const fault of load.faults()) expect(false, `${name}: ${fault}`);
  expect(load.count(50300) + load.count(50301) === 0, `${name}: a request got 503`);
  const acknowledged = load.acknowledged();
  expect(
    await comesTrue(
      () => receiver.received.length >= acknowledged,
      () => receiver.received.length,
    ),
    `${name}: ${receiver.received.length} of ${acknowledged} events were sent`,
  );
  older.kill();
  expect((await older.exited) === 0, `${name}: the older service did not stop in order`);
  expect(!older.log.some(({ level }) => level === 'error'), `${name}: the older service has logged an error`);

  const refused = await startServer(database).catch(({ message }: Error) => message);
  expect(`${refused}`.includes('was written by a newer version'), `${name}: the older program has started again`);
  await using _ = await startServer(database, { program: newer });
  const events = Number((await query(database, 'SELECT count(*) FROM events'))[0]);
  expect(events === acknowledged, `${name}: ${events} events after ${acknowledged} changes`);
  if (isPostgresUrl(database)) for (const fault of await auditLog(database)) expect(false, `${name}: ${fault}`);
  else expect(inspectDatabase(database).isLogTrue, `${name}: the log makes other plants`);
};

/** The ways to migrate, each of which resolves once it is done. */
const migrating = [
  async (database: string) => void (await expectSuccess(['migrate', '--database', database])),
  async (database: string) => (await startServer(database))[Symbol.asyncDispose](),
  async (database: string) => {
    const file = folder.file('one.ndjson');
    writeFileSync(file, '{"id":2,"name":"imported"}\n');
    await expectSuccess(['import', file, '--database', database]);
  },
];

const expectSuccess = async (args: readonly string[]): Promise<void> => {
  const { exitCode, stderr } = await runProgram(args);
  expect(exitCode === 0, `${args[0]} ended with ${exitCode}: ${stderr}`);
};

const upgradeSchema = async (name: string, engine: EngineName, count: number): Promise<void> => {
  const all = (engine === 'SQLite' ? sqliteMigrations : postgresMigrations).map((migration) => migration.name);
  const database = await createEmpty[engine]();
  await createOlder(database, count);
  const hasDeliveries = await writeOlderDeliveries(database);
  await using writers = startOlderWriters(database);
  const written = async (more: number): Promise<void> => {
    const before = writers.committed.size;
    await until(() => writers.committed.size >= before + more || writers.failed.size > 0);
  };
  await written(20);
  await expectRefusals(name, database, underTest, commands.slice(count % commands.length).slice(0, 1));
  const startedAtMs = performance.now();
  await migrating[count % migrating.length]?.(database);
  expectWithin(migratedMsMax, `${name}: the migration`, { fromMs: startedAtMs });
  await written(20);
  await writers.stop();

  for (const message of new Set(writers.failed.values())) expect(false, `${name}: a client got ${message}`);
  expect(Bun.deepEquals(await migrationsOf(database), all), `${name}: some migrations are missing`);
  const plants = (await query(database, "SELECT id FROM plants WHERE name = 'older'"))
    .map(Number)
    .sort((a, b) => a - b);
  expect(
    Bun.deepEquals(
      plants,
      [...writers.committed].sort((a, b) => a - b),
    ),
    `${name}: ${plants.length} plants after ${writers.committed.size} commits`,
  );
  if (hasDeliveries) await expectDeliveries(name, database);
  await expectPicture(name, database);
};

/** A plant of the earlier version can have a picture. */
const expectPicture = async (name: string, database: string): Promise<void> => {
  const file = pictureOf(1);
  const store = await openTestStore(database);
  await store.pictures.put(1n, file, {});
  const found = Buffer.from((await store.pictures.get(1n))?.content ?? []);
  await store.close();
  expect(found.equals(file.content), `${name}: a plant of before cannot have a picture`);
};

/** Each delivery of the earlier version must be listed in its state. */
const expectDeliveries = async (name: string, database: string): Promise<void> => {
  for (const { state, sequence } of olderDeliveries) {
    const { stdout, stderr } = await runProgram(['webhook', 'deliveries', '--state', state, '--database', database]);
    const listed = stdout.split('\n').flatMap((line) => /^wh_deleted\tevt_(\d+)_/.exec(line)?.[1] ?? []);
    expect(listed.join() === `${sequence}`, `${name}: the deliveries ${state} are of ${listed.join()}: ${stderr}`);
  }
};

const scenes = (['SQLite', 'PostgreSQL'] as const).flatMap((engine) => [
  { name: `${engine} service`, play: (name: string) => upgradeService(name, engine) },
  ...(engine === 'SQLite' ? sqliteMigrations : postgresMigrations).slice(1).map((_, index) => ({
    name: `${engine} after ${index + 1} migrations`,
    play: (name: string) => upgradeSchema(name, engine, index + 1),
  })),
]);

const kinds = Object.fromEntries(choose(scenes).map(({ name, play }) => [name, play]));
for (const [round, name, play] of rounds.eachOf(kinds)) {
  const startedAtMs = performance.now();
  await play(name);
  console.error(`round ${round}: ${name}, ${Math.round(performance.now() - startedAtMs)} ms`);
}
end({ upgrades: rounds.count(), kinds: Object.keys(kinds).length });
