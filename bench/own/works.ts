/** The service compared with itself and with bare SQLite: the cost of a large table, of webhooks, and of everything except the disk. */
import { join } from 'node:path';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { type Figures, type Measured, measure, middle, printMeasured, ratio, type Work } from '../support/measure.ts';
import { rounds, rows, seconds } from '../support/options.ts';
import { bareServer, bun, type PlantStoreOptions, plantStore, run, runPlantStore, spawn } from '../support/servers.ts';

/** What was compared, and the ratio. */
export type Ratio = readonly [what: string, ratio: number];

/** Writes a file of plants for an import, with ids from `first`. */
export const writePlants = async (path: string, count: number, first = 1): Promise<void> => {
  const file = Bun.file(path).writer();
  file.write('id,name,tag\n');
  for (let id = first; id < first + count; id += 1) file.write(`${id},Monstera ${id},tropical\n`);
  await file.end();
};

const createBy128: Work = { load: 'create', connections: 128 };

const create = async (options: PlantStoreOptions, connections = 128): Promise<Figures> => {
  await using running = await run(plantStore(options));
  return await measure(running, { ...createBy128, connections });
};

/** Measures creates over 128 connections with each of these settings in turn. */
const compareCreates = async (settings: Readonly<Record<string, PlantStoreOptions>>): Promise<Measured> => {
  const measured = new Map<string, Figures[]>();
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, options] of Object.entries(settings)) {
      console.error(`round ${round} of ${rounds}: create, ${name}`);
      measured.set(name, [...(measured.get(name) ?? []), await create(options)]);
    }
  }
  printMeasured('create, 128', measured);
  return measured;
};

/** Makes a database with this number of plants, by an import. */
const fill = async (folder: { file(name: string): string }, plants: number): Promise<string> => {
  console.error(`making a table of ${plants} plants`);
  const database = folder.file('plants.sqlite');
  await writePlants(folder.file('plants.csv'), plants);
  await runPlantStore('import', folder.file('plants.csv'), '--database', database);
  return database;
};

export const compareTables = async (): Promise<Ratio> => {
  using folder = temporaryFolder();
  const [empty, full] = ['an empty table', `at ${rows.toLocaleString('en')} rows`];
  const measured = await compareCreates({ [empty]: {}, [full]: { database: await fill(folder, rows) } });
  return [`create, 128 connections, ${full}, ratio to ${empty}`, ratio(measured, full, empty)];
};

/** Measures creates while the event of each is sent to three webhooks. */
export const compareWebhooks = async (): Promise<Ratio> => {
  await using receiving = await run(bareServer('receiver', bun('servers/receiver.ts')));
  const webhooks = [1, 2, 3].map((n) => `${receiving.url}/${n}`);
  const [none, three] = ['no webhooks', 'with 3 webhooks'];
  const measured = await compareCreates({ [none]: {}, [three]: { webhooks } });
  return [`create, 128 connections, ${three}, ratio to none`, ratio(measured, three, none)];
};

/** A create over one connection, compared with a synced insert of one row without HTTP. */
export const compareLatency = async (): Promise<Ratio> => {
  const [bare, ours]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`round ${round} of ${rounds}: one create after the other, and one insert after the other`);
    bare.push(await insertAlone());
    ours.push((await create({}, 1)).p50Ms);
  }
  return ['p50 of a create, 1 connection, ratio to a bare insert with its sync', middle(ours) / middle(bare)];
};

/** The median duration of an insert, in milliseconds. It runs in a separate process, like the service. */
const insertAlone = async (): Promise<number> => {
  using folder = temporaryFolder();
  const child = spawn(bun('servers/insert.ts'), { DATABASE: folder.file('plants.sqlite'), SECONDS: `${seconds}` });
  return Number(await child.stdout.text());
};

const importedRows = 1_000_000;

/** Imports a file with `import`, and with `sqlite3 .import`: into one table, and into the tables and indices of the service. */
export const compareImport = async (): Promise<Ratio[]> => {
  using folder = temporaryFolder();
  const file = folder.file('plants.csv');
  await writePlants(file, importedRows);
  const [ours, oneTable, sameTables]: [number[], number[], number[]] = [[], [], []];
  const bySqlite = async (name: string, ...statements: string[]): Promise<void> => {
    const command = ['sqlite3', folder.file(name), 'PRAGMA journal_mode = WAL', ...statements];
    const child = Bun.spawn([...command, '.mode csv', `.import --skip 1 ${file} plants`], { stdout: 'ignore' });
    if ((await child.exited) !== 0) throw new Error('sqlite3 has failed');
  };
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`round ${round} of ${rounds}: import of ${importedRows} plants`);
    oneTable.push(await secondsOf(() => bySqlite(`one-${round}`, bareTable)));
    sameTables.push(await secondsOf(() => bySqlite(`same-${round}`, bareTable, ...withLog)));
    ours.push(await secondsOf(() => runPlantStore('import', file, '--database', folder.file(`ours-${round}`))));
  }
  return [
    ['import of a million, speed relative to sqlite3 .import into a bare table', middle(oneTable) / middle(ours)],
    ['… to sqlite3 .import into the same tables and indices', middle(sameTables) / middle(ours)],
  ];
};

const bareTable = 'CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT)';
const withLog = [
  'CREATE INDEX plants_tag ON plants (tag)',
  'CREATE TABLE events (sequence INTEGER PRIMARY KEY, type TEXT, timestamp TEXT, plant_id INTEGER, name TEXT, tag TEXT, traceparent TEXT)',
  'CREATE INDEX events_type ON events (type)',
  `CREATE TRIGGER logged AFTER INSERT ON plants BEGIN
    INSERT INTO events VALUES (NULL, 'plant.created', '2026-05-01T09:30:00.000Z', new.id, new.name, new.tag, NULL);
  END`,
];

export const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
};

/** The time from the start of the binary to the first response, with a million plants, in milliseconds. */
export const measureStart = async (): Promise<number> => {
  using folder = temporaryFolder();
  const database = await fill(folder, importedRows);
  const binary = folder.file('plant-store');
  const compile = ['run', '--cwd', join(import.meta.dir, '../..'), 'build', '--outfile', binary];
  if (!Bun.spawnSync([process.execPath, ...compile]).success) throw new Error('The binary cannot be built.');
  const durations: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    await using running = await run(plantStore({ database, program: [binary] }));
    durations.push(running.startedMs);
  }
  return middle(durations);
};
