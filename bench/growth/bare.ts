/**
 * The database alone: the same statements on the same rows, one after the other, in one connection. On SQLite it is the CPU time of this
 * process, with its sync in a create; on PostgreSQL that of this process and of the server.
 */
import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { SQL } from 'bun';
import type { Server } from '../support/postgres-server.ts';
import { rareTag, turnsOfEach } from './service.ts';
import type { Growth, Operation } from './sizes.ts';

type Run = (statement: string, values?: readonly (string | number)[]) => Promise<unknown>;

const event = '(type, timestamp, plant_id, name, tag)';
const newPlant = "'Monstera', 'tag 1', '2026-05-01T09:30:00.000Z', '2026-05-01T09:30:00.000Z'";
const newEvent = `'plant.created', '2026-05-01T09:30:00.000Z'`;

const times = 2000;
const pages = 300;
const streamRows = 10_000;
const exportRows = 1000;

/** Adds as many plants and events in one transaction, to the same tables and indexes. */
const copyPlants = [
  `INSERT INTO plants (id, name, tag, created_at, updated_at)
    SELECT id + 10000000000, name, tag, created_at, updated_at FROM plants WHERE id < 1000000000`,
  `INSERT INTO events (sequence, ${event.slice(1)}
    SELECT 10000000000 + row_number() OVER (ORDER BY id), 'plant.created', created_at, id, name, tag
    FROM plants WHERE id >= 10000000000`,
];

const measureStatements = async (plants: number, run: Run, cpuUs: () => Promise<number>, isPostgres: boolean) => {
  const $ = (n: number): string => (isPostgres ? `$${n}` : `?${n}`);
  const measure = async (count: number, work: (n: number) => Promise<unknown>): Promise<number> => {
    for (let n = 0; n < count / 10; n += 1) await work(-1 - n);
    const turns: number[] = [];
    while (turns.length < turnsOfEach) {
      const before = await cpuUs();
      for (let n = 0; n < count; n += 1) await work(turns.length * count + n);
      turns.push(((await cpuUs()) - before) / count);
    }
    return Math.min(...turns);
  };
  const random = (): number => 1 + Math.floor(plants * Math.random());
  const page = (from: number): Promise<number> =>
    measure(pages, () => run(`SELECT * FROM plants WHERE id > ${$(1)} ORDER BY id LIMIT 101`, [from]));
  const first = 2_000_000_000;
  let sequence = first;
  const create = async (n: number): Promise<void> => {
    sequence += 1;
    const id = first + 1000 + n;
    await run('BEGIN');
    await run(`INSERT INTO plants (id, name, tag, created_at, updated_at) VALUES (${$(1)}, ${newPlant})`, [id]);
    await run(
      `INSERT INTO events (sequence, ${event.slice(1)} VALUES (${$(1)}, ${newEvent}, ${$(2)}, 'Monstera', 'tag 1')`,
      [sequence, id],
    );
    await run('COMMIT');
  };
  const scanned = async (statement: string, rows: number): Promise<number> => {
    const before = await cpuUs();
    await run(statement);
    return ((await cpuUs()) - before) / rows;
  };
  const exportPlants = async (): Promise<number> => {
    const before = await cpuUs();
    for (let from = 0; from < plants; from += exportRows)
      await run(`SELECT * FROM plants WHERE id > ${$(1)} ORDER BY id LIMIT ${exportRows}`, [from]);
    return ((await cpuUs()) - before) / plants;
  };
  const pruneEvents = async (): Promise<number> => {
    const [batches, rows] = [20, 200];
    const before = await cpuUs();
    for (let batch = 0; batch < batches; batch += 1)
      await run(`DELETE FROM events WHERE sequence < (SELECT min(sequence) + ${rows} FROM events)`);
    return ((await cpuUs()) - before) / (batches * rows);
  };
  const importPlants = async (): Promise<number> => {
    const before = await cpuUs();
    await run('BEGIN');
    for (const statement of copyPlants) await run(statement);
    await run('COMMIT');
    return ((await cpuUs()) - before) / plants;
  };
  return {
    get: await measure(times, () => run(`SELECT * FROM plants WHERE id = ${$(1)}`, [random()])),
    create: await measure(pages, create),
    'list, first': await page(0),
    'list, middle': await page(plants / 2),
    'list, last': await page(plants - 101),
    'rare tag': await measure(times, () =>
      run(`SELECT * FROM plants WHERE tag = ${$(1)} ORDER BY id LIMIT 101`, [rareTag]),
    ),
    stream: await scanned(`SELECT * FROM events ORDER BY sequence LIMIT ${streamRows}`, streamRows),
    export: await exportPlants(),
    prune: await pruneEvents(),
    import: await importPlants(),
  } satisfies Partial<Record<Operation, number>>;
};

export const measureBareSqlite = async (plants: number, path: string): Promise<Growth['bare']> => {
  using database = new Database(path, { strict: true });
  database.run('PRAGMA journal_mode = WAL');
  database.run('PRAGMA synchronous = FULL');
  const cpuUs = async (): Promise<number> => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const run: Run = async (statement, values = []) => database.query(statement).all(...values);
  const copy = `${path}-copy`;
  const before = await cpuUs();
  database.run(`VACUUM INTO '${copy}'`);
  const backup = ((await cpuUs()) - before) / plants;
  rmSync(copy);
  const figures = await measureStatements(plants, run, cpuUs, false);
  return { ...figures, backup };
};

export const measureBarePostgres = async (plants: number, url: string, server: Server): Promise<Growth['bare']> => {
  await using sql = new SQL(url, { max: 1 });
  const cpuUs = async (): Promise<number> => {
    const { user, system } = process.cpuUsage();
    return user + system + 1_000_000 * (await server.cpuSeconds());
  };
  return await measureStatements(plants, (statement, values = []) => sql.unsafe(statement, [...values]), cpuUs, true);
};
