/** Logs as a killed process leaves them, damaged, or torn by a power cut. */
import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { openSqliteStore } from '../../src/engines/sqlite.ts';
import { backup } from '../../src/engines/sqlite-backup.ts';
import { openExclusiveSqlite } from '../../src/engines/sqlite-copy.ts';
import { restore } from '../../src/engines/sqlite-restore.ts';
import { connect } from '../../src/sqlite/client.ts';
import { isLogDamaged } from '../../src/sqlite/log-damage.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type Files, filesAfter } from '../support/store/log-files.ts';
import { firstOf } from '../support/store/sqlite.ts';

const headerBytes = 32;
const frameHeaderBytes = 24;
const frameBytes = frameHeaderBytes + 4096;

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const [sound] = (await filesAfter({ plants: 10 })) as [Files];
const frames = (sound.log.length - headerBytes) / frameBytes;
const startOf = (frame: number): number => headerBytes + frame * frameBytes;
const isCommit = (log: Buffer, frame: number): boolean => log.readUInt32BE(startOf(frame) + 4) > 0;
const commits = Array.from({ length: frames }, (_, frame) => frame).filter((frame) => isCommit(sound.log, frame));
/** The first frame of the last transaction. */
const lastStart = (commits.at(-2) ?? 0) + 1;

const write = ({ database, log }: Files, name: string = crypto.randomUUID()): string => {
  const path = folder.file(`${name}.sqlite`);
  writeFileSync(path, database);
  writeFileSync(`${path}-wal`, log);
  return path;
};

const isFound = (log: Buffer, database = sound.database): boolean =>
  isLogDamaged(write({ database, log }, 'looked-at'));

const withChanged = (log: Buffer, offset: number): Buffer => {
  const changed = Buffer.from(log);
  changed[offset] = (changed[offset] ?? 0) ^ 0x10;
  return changed;
};

test('the log of these tests has several frames a commit, and no damage', () => {
  expect(commits.length).toBeGreaterThanOrEqual(10);
  expect(frames).toBeGreaterThan(2 * commits.length);
  expect(isFound(sound.log)).toBe(false);
});

test('a changed byte in any frame is found, if a later frame has a commit and another one continues it', () => {
  const placesOfFrame = [0, 3, 6, 8, 12, 16, 23, frameHeaderBytes, frameHeaderBytes + 2000, frameBytes - 1];
  for (let frame = 0; frame < lastStart - 2; frame += 1)
    for (const place of placesOfFrame)
      expect({ frame, place, found: isFound(withChanged(sound.log, startOf(frame) + place)) }).toEqual({
        frame,
        place,
        found: true,
      });
});

test('several frames, or the first or any other 4096 bytes, that are overwritten with zeros are found', () => {
  for (let start = 0; start + 4096 < startOf(commits.at(-3) ?? 0); start += 4096)
    expect(isFound(Buffer.from(sound.log).fill(0, start, start + 4096))).toBe(true);
  expect(isFound(Buffer.from(sound.log).fill(0, 0, startOf(6) + 7))).toBe(true);
});

test('a changed byte in the last transaction looks like a power cut, also if it seems to be the mark of a commit', () => {
  for (let frame = lastStart; frame < frames; frame += 1)
    for (const place of [0, 6, 8, 16, frameHeaderBytes, frameBytes - 1])
      expect(isFound(withChanged(sound.log, startOf(frame) + place))).toBe(false);
});

test('a changed byte in the header of the log is found, while the database lacks a page of the log', async () => {
  const [, saved] = (await filesAfter({ plants: 10 }, 'checkpoint')) as [Files, Files];
  for (let place = 0; place < headerBytes; place += 1) {
    expect({ place, found: isFound(withChanged(sound.log, place)) }).toEqual({ place, found: true });
    expect(isFound(withChanged(saved.log, place), saved.database)).toBe(false);
  }
});

test('a log that ends anywhere is not damaged', () => {
  for (let frame = 0; frame <= frames; frame += 1)
    for (const length of [0, 1, frameHeaderBytes, frameHeaderBytes + 1, 2000, frameBytes - 1])
      expect(isFound(sound.log.subarray(0, startOf(frame) + length))).toBe(false);
  for (let length = 0; length <= headerBytes; length += 1) expect(isFound(sound.log.subarray(0, length))).toBe(false);
});

describe('a power cut', () => {
  /** Of the bytes of `after` that are new since `before`, each sector is there or not. Sectors begin anywhere, so that they split any header. */
  const tear = (before: Buffer, after: Buffer, random: () => number): Buffer => {
    const torn = Buffer.alloc(after.length);
    before.copy(torn);
    const first = -8 * Math.floor(random() * 64);
    for (let sector = first; sector < after.length; sector += 512)
      if (random() < 0.5) after.copy(torn, Math.max(sector, 0), Math.max(sector, 0), sector + 512);
    return torn.subarray(
      0,
      random() < 0.5 ? undefined : before.length + Math.floor(random() * (after.length - before.length)),
    );
  };
  const createRandom = (seed: number) => {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
  };

  test.each<[string, () => Promise<readonly [Files, Files]>]>([
    ['of a new log', async () => (await filesAfter({ plants: 1 }, { plants: 1 })) as [Files, Files]],
    ['of a long log', async () => (await filesAfter({ plants: 10 }, { plants: 1 })) as [Files, Files]],
    [
      'in front of the frames of an older log',
      async () =>
        (await filesAfter({ plants: 12 }, 'checkpoint', { plants: 5 }, { plants: 1 })).slice(2) as [Files, Files],
    ],
    [
      'in front of the frames of an older log, of which it replaces the first',
      async () => {
        const [, { database, log }, after] = (await filesAfter({ plants: 12 }, 'checkpoint', { plants: 1 })) as [
          Files,
          Files,
          Files,
        ];
        // SQLite syncs the new header before the first frame.
        return [
          { database, log: Buffer.concat([after.log.subarray(0, headerBytes), log.subarray(headerBytes)]) },
          after,
        ];
      },
    ],
  ])('in the last transaction %s is not damage', async (_, make) => {
    const [before, after] = await make();
    const random = createRandom(1);
    for (let round = 0; round < 300; round += 1) {
      expect(isFound(tear(before.log, after.log, random), before.database)).toBe(false);
    }
  });

  test('behind which a shorter transaction replaced a part of the torn one is not damage, torn or not', async () => {
    const [before, after] = (await filesAfter({ plants: 10 }, { plants: 1 })) as [Files, Files];
    // A torn transaction that has its commit and lacks its first frame.
    const torn = Buffer.from(after.log).fill(0, before.log.length, before.log.length + frameBytes);
    const path = write({ database: before.database, log: torn });
    const client = connect(path);
    client.run("UPDATE plants SET name = 'changed' WHERE id = 3");
    const written = readFileSync(`${path}-wal`);
    client.close();
    expect(isCommit(written, (before.log.length - headerBytes) / frameBytes)).toBe(true);
    expect(isCommit(written, (after.log.length - headerBytes) / frameBytes - 1)).toBe(true);
    const random = createRandom(2);
    expect(isFound(written, before.database)).toBe(false);
    for (let round = 0; round < 300; round += 1)
      expect(isFound(tear(torn, written, random), before.database)).toBe(false);
  });

  test('in a new header of the log is not damage', async () => {
    const [, before, after] = (await filesAfter({ plants: 12 }, 'checkpoint', { plants: 1 })) as [Files, Files, Files];
    for (let length = 0; length <= headerBytes; length += 1) {
      const [first, second] = [Buffer.from(before.log), Buffer.from(before.log)];
      after.log.copy(first, 0, 0, length);
      after.log.copy(second, length, length, headerBytes);
      expect([isFound(first, before.database), isFound(second, before.database)]).toEqual([false, false]);
    }
  });
});

describe('a database with a damaged log', () => {
  const damaged = { ...sound, log: withChanged(sound.log, startOf(5) + 100) };
  const refused =
    'is damaged in its log (-wal); restore a backup, or move the log away, which loses all changes in it.';

  test.each<[string, (path: string) => unknown]>([
    ['a service', async (path) => openSqliteStore(path, { upgrade: true })],
    ['a command that writes', async (path) => openSqliteStore(path)],
    ['a command that reads', async (path) => openSqliteStore(path, { create: false })],
    ['a copy', (path) => openExclusiveSqlite(path, { create: false })],
    ['a backup', (path) => backup(path, folder.file('backup'), { overwrite: true })],
  ])('is refused by %s, and not changed', async (_, open) => {
    const path = write(damaged);
    await expect(open(path)).rejects.toThrow(`Database ${path} ${refused} It was not changed.`);
    expect(readFileSync(path).equals(damaged.database)).toBe(true);
    expect(readFileSync(`${path}-wal`).equals(damaged.log)).toBe(true);
    expect(existsSync(folder.file('backup'))).toBe(false);
  });

  test('is opened without its log', async () => {
    const path = write(damaged);
    rmSync(`${path}-wal`);
    const store = openSqliteStore(path);
    expect(await store.plants.count()).toBe(0);
    await store.close();
  });

  test('keeps the changes before the damage if SQLite applies the log, as the page on troubleshooting says', async () => {
    const path = write(damaged);
    const client = connect(path);
    client.run('PRAGMA wal_checkpoint(TRUNCATE)');
    const kept = firstOf(client, 'SELECT count(*) FROM plants');
    client.close();
    expect(kept).toBeGreaterThan(0n);
    expect(kept).toBeLessThan(10n);
    const store = openSqliteStore(path);
    expect(await store.plants.count()).toBe(Number(kept));
    await store.close();
  });

  test('is replaced by a restored backup, and kept with its log', async () => {
    const [path, source] = [write(damaged), folder.file('source.sqlite')];
    const backed = write(sound);
    await backup(backed, source, { overwrite: true });
    const kept = await restore(source, path);
    const store = openSqliteStore(path);
    expect(await store.plants.count()).toBe(10);
    await store.close();
    expect(readFileSync(`${kept}-wal`).equals(damaged.log)).toBe(true);
  });
});
