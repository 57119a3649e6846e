/**
 * Starts the server on databases that were damaged in 55 ways: in the header, in pages, by truncation, by the log
 * of another database beside them, and in their own log. Each must be refused with a clear message and exit code 1, and must not change by a byte.
 *
 * Then it damages pages of a database that a server has open: see `damaging/served-file.ts`.
 *
 *     bun tests/faults/damaged-file.ts [--rounds 55]
 */
import { Database } from 'bun:sqlite';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '../support/folder.ts';
import { startServer } from '../support/programs/process.ts';
import { openTestStore } from '../support/store/engines.ts';
import { damageServedFile } from './damaging/served-file.ts';
import { readOptions } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds } = readOptions(55);
const pageBytes = 4096;

using folder = temporaryFolder();

/** A database with plants on many pages. */
const fill = async (path: string, plants: number): Promise<void> => {
  const store = await openTestStore(path);
  await Promise.all(
    Array.from({ length: plants }, (_, n) => store.plants.create({ id: BigInt(n), name: `n${n}`, tag: `t${n % 7}` })),
  );
  await store.close();
};
const sound = folder.file('sound.sqlite');
await fill(sound, 600);

/** The log that a writer leaves when it is killed: that of a second plant store, and that of another program. */
const logOf = async (path: string, statements: readonly string[]): Promise<Buffer> => {
  const client = new Database(path, { create: true });
  client.run('PRAGMA journal_mode = WAL');
  for (const statement of statements) client.run(statement);
  const log = readFileSync(`${path}-wal`);
  client.close(true);
  return log;
};
await fill(folder.file('second.sqlite'), 50);
const logOfSecond = await logOf(folder.file('second.sqlite'), ["UPDATE plants SET name = 'foreign', tag = NULL"]);
const logOfOther = await logOf(folder.file('other.sqlite'), ['CREATE TABLE t (x)', 'INSERT INTO t VALUES (1)']);
copyFileSync(sound, folder.file('killed.sqlite'));
const updates = Array.from({ length: 5 }, (_, n) => `UPDATE plants SET name = 'changed ${n}'`);
const logOfKilled = await logOf(folder.file('killed.sqlite'), updates);

interface Damage {
  readonly what: string;
  readonly apply: (bytes: Buffer) => Buffer;
  readonly log?: Buffer;
}

const put = (what: string, offset: number, ...values: number[]): Damage => ({
  what,
  apply: (bytes) => {
    bytes.set(values, offset);
    return bytes;
  },
});
const cut = (what: string, length: (bytes: Buffer) => number): Damage => ({
  what: `cut off: ${what}`,
  apply: (bytes) => bytes.subarray(0, length(bytes)),
});
const withLog = (what: string, log: Buffer): Damage => ({ what: `beside it: ${what}`, apply: (bytes) => bytes, log });
const inLog = (what: string, offset: number): Damage => {
  const log = Buffer.from(logOfKilled);
  log[offset] = (log[offset] ?? 0) ^ 1;
  return withLog(`its own log, with another byte in ${what}`, log);
};

/** https://www.sqlite.org/fileformat2.html#the_database_header */
const headers = [
  put('header: first byte', 0, 0x73),
  put('header: last byte of the magic', 15, 1),
  put('header: page size 0', 16, 0, 0),
  put('header: page size 513', 16, 2, 1),
  put('header: page size 256', 16, 1, 0),
  put('header: page size 8192', 16, 0x20, 0),
  put('header: page size 512', 16, 2, 0),
  put('header: largest root page, of a file that vacuums itself', 52, 0, 0, 0, 1),
  put('header: file format to read 9', 19, 9),
  put('header: reserved 255 bytes of a page', 20, 255),
  put('header: most of a payload', 21, 1),
  put('header: least of a payload', 22, 1),
  put('header: payload of a leaf', 23, 1),
  put('header: free list begins past the end', 32, 0, 1, 0, 0),
  put('header: free pages that are not', 36, 0, 0, 0, 9),
  put('header: format of the schema', 44, 0, 0, 0, 9),
  put('header: encoding UTF-16', 56, 0, 0, 0, 2),
  put('header: no application id', 68, 0, 0, 0, 0),
  put('header: of another program', 68, 0x47, 0x50, 0x4b, 0x47),
  put('header: all zero', 0, ...Array<number>(100).fill(0)),
  put('header: all ones', 0, ...Array<number>(100).fill(255)),
];

/** https://www.sqlite.org/fileformat2.html#b_tree_pages; pages 2 and on are of the tables and their indices. */
const pages = [2, 3, 4, 5].flatMap((page) => {
  const start = (page - 1) * pageBytes;
  return [
    put(`page ${page}: of no type`, start, 7),
    put(`page ${page}: more cells than it has room for`, start + 3, 255, 255),
    put(`page ${page}: content begins in its header`, start + 5, 0, 1),
    put(`page ${page}: free block at its end`, start + 1, 0x0f, 0xff),
    put(`page ${page}: all zero`, start, ...Array<number>(pageBytes).fill(0)),
  ];
});

const others = [
  cut('to nothing', () => 0),
  cut('to a byte', () => 1),
  cut('within the header', () => 99),
  cut('after the header', () => 100),
  cut('to one page', () => pageBytes),
  cut('by a page', (bytes) => bytes.length - pageBytes),
  cut('by half a page', (bytes) => bytes.length - pageBytes / 2),
  cut('by a byte', (bytes) => bytes.length - 1),
  cut('by half', (bytes) => bytes.length / 2),
  withLog('the log of another plant store', logOfSecond),
  withLog('the log of another program', logOfOther),
  inLog('the header', 17),
  inLog('the first page', 100),
  inLog('the middle', logOfKilled.length / 2),
];

/** The log beside a database; SQLite may leave an empty one, which does not count. */
const readLog = (database: string): Buffer =>
  existsSync(`${database}-wal`) ? readFileSync(`${database}-wal`) : Buffer.alloc(0);

const damages: readonly Damage[] = [...others, ...headers, ...pages];
const { expect, end } = createVerdict();
for (const round of rounds.each(damages.length)) {
  const damage = damages[round - 1];
  if (!damage) break;
  const { what, apply, log } = damage;
  using own = temporaryFolder();
  const database = own.file('plants.sqlite');
  copyFileSync(sound, database);
  writeFileSync(database, apply(readFileSync(sound)));
  if (log) writeFileSync(`${database}-wal`, log);
  const read = () => [readFileSync(database), readLog(database)];
  const before = read();
  const said = await startServer(database).then(
    async (server) => {
      await server[Symbol.asyncDispose]();
      return 'it has started';
    },
    ({ message }: Error) => message,
  );
  const isPlain = /^exited with 1 .*: \[\{"msg":"plant-store: [^\n]+"\}\]$/.test(said);
  const isUntouched = Bun.deepEquals(read(), before);
  expect(isPlain, `${what}: ${said}`);
  expect(isUntouched, `${what}: the file was changed`);
  if (round % 10 === 0) console.error(`${round} ways`);
}
end({ 'ways to damage': rounds.count(), ...(await damageServedFile(pageBytes, expect)) });
