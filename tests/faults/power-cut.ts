/**
 * The files after a power cut. strace records a real run: each write, sync and response, in order. Then the run is cut at many
 * points. Synced data is on the disk; each later write is lost, present, or present in some of
 * its sectors. After each cut the file is opened: it must be intact and contain all changes acknowledged before. Its
 * log must not count as damaged.
 *
 * The same with `synchronous = NORMAL` loses acknowledged plants: a trial that does not find that proves
 * nothing.
 *
 *     bun tests/faults/power-cut.ts [--rounds 2000] [--seed 1]
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { versionOfPicture } from '../../src/pictures/picture.ts';
import { isLogDamaged } from '../../src/sqlite/log-damage.ts';
import { temporaryFolder } from '../support/folder.ts';
import { pictureOf } from '../support/pictures/pictures.ts';
import { type Intent, requestOf } from '../support/plant-requests.ts';
import { startServer, underTest, withPreloaded } from '../support/programs/process.ts';
import { until } from '../support/until.ts';
import { createDatabase, inspectDatabase } from './support/database.ts';
import { readOptions, skipWithout } from './support/options.ts';
import { underStrace } from './support/strace.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random, seconds } = readOptions(2000);
skipWithout('strace');

const clients = 16;
const stepsOfClient = seconds === undefined ? 250 : 100;
const sectorBytes = 512;
/** How many cuts one pass over the recording makes. */
const cutsOfPass = 100;

/** The relevant steps of a recorded run. */
type Deed =
  | { readonly type: 'write'; readonly file: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly type: 'truncate'; readonly file: string; readonly length: number }
  | { readonly type: 'sync'; readonly file: string }
  /** A response, which has the plant and the step of its history: `"name":"7.1"`, or the entity tag of its picture, which is step 2. */
  | { readonly type: 'acknowledge'; readonly id: number; readonly step: number };

interface Recording {
  /** The file before the run. */
  readonly start: Buffer;
  readonly deeds: readonly Deed[];
}

const plantsOfClient = stepsOfClient / 2;
/** A picture makes the file larger than a hundred plants do, so a few plants have one. */
const plantsOfPicture = 16;

/** The changes to one plant, in order: its creation, another name, and of a few plants a picture. */
const stepsOf = (client: number, n: number): Intent[] => {
  const id = 1 + client + n * clients;
  const file = pictureOf(id);
  return [
    { id, method: 'POST', name: `${id}.0` },
    { id, method: 'PATCH', name: `${id}.1` },
    ...(n % plantsOfPicture === 0 ? [{ id, method: 'PUT picture', name: file.picture.digest, file } as const] : []),
  ];
};

const allSteps = Array.from({ length: clients }, (_, client) =>
  Array.from({ length: plantsOfClient }, (_, n) => stepsOf(client, n)).flat(),
);
const changes = allSteps.flat();
const digests = new Map(changes.flatMap(({ id, file }) => (file ? [[id, file.picture.digest] as const] : [])));
const idsByTag = new Map(
  changes.flatMap(({ id, file }) => (file ? [[versionOfPicture(file.picture), id] as const] : [])),
);

/** Sends one request after the other. */
const change = async (url: string, headers: Readonly<Record<string, string>>, steps: Intent[]): Promise<void> => {
  for (const step of steps) {
    const { method, path, headers: own, ...request } = requestOf(step);
    const response = await fetch(url + path, { method, headers: { ...headers, ...own }, ...request });
    if (!response.ok) throw new Error(`${method} ${path} got status ${response.status}: ${await response.text()}`);
  }
};

/** How Bun, Node and Deno send a response. */
const sends = 'sendto,write,writev';

const record = async (program: readonly string[]): Promise<Recording> => {
  using folder = temporaryFolder();
  const [database, trace] = [folder.file('plants.sqlite'), folder.file('trace')];
  const headers = await createDatabase(database);
  const start = readFileSync(database);
  const calls = `openat,close,pwrite64,ftruncate,fsync,fdatasync,${sends}`;
  const options = ['--output', trace, '--strings-in-hex=all', '--string-limit=70000', '--trace', calls];
  await using server = await startServer(database, { program: underStrace(options, program) });
  await Promise.all(allSteps.map((steps) => change(server.url, headers, steps)));
  // strace records a call when it returns, which may be after the client has received the response: the next response proves that it has.
  await fetch(`${server.url}/healthz`);
  server.kill('SIGKILL');
  // strace continues to write after the program has ended; this is its last line.
  await until(() => readFileSync(trace, 'latin1').includes('+++ killed by SIGKILL'));
  return { start, deeds: readTrace(readFileSync(trace, 'latin1')) };
};

const readTrace = (trace: string): Deed[] => {
  const open = new Map<string, string>();
  return trace.split('\n').flatMap((line): Deed[] => {
    const [, call = '', descriptor = '', rest = '', result] = /^(\w+)\(([^,)]+)(.*)\)\s+= (-?\d+)/.exec(line) ?? [];
    const texts = [...rest.matchAll(/"([^"]*)"/g)].map(([, hex = '']) => Buffer.from(hex.replaceAll('\\x', ''), 'hex'));
    const last = Number(rest.slice(rest.lastIndexOf(',') + 1));
    if (call === 'openat' && result !== undefined) open.set(result, basename(`${texts[0]}`));
    if (call === 'close') open.delete(descriptor);
    const file = open.get(descriptor) ?? '';
    if (sends.split(',').includes(call)) {
      const response = texts.join('');
      const [, id, step] = /^HTTP\/1.1 200 .*"name":"(\d+)\.(\d+)"/s.exec(response) ?? [];
      const [, tag = ''] = /^HTTP\/1.1 201 .*^etag: "([^"]+)"/ims.exec(response) ?? [];
      const ofPicture = idsByTag.get(tag);
      if (ofPicture !== undefined) return [{ type: 'acknowledge', id: ofPicture, step: 2 }];
      return id === undefined ? [] : [{ type: 'acknowledge', id: Number(id), step: Number(step) }];
    }
    if (!/^plants\.sqlite(-wal)?$/.test(file)) return [];
    switch (call) {
      case 'pwrite64':
        return texts[0] ? [{ type: 'write', file, offset: last, bytes: texts[0] }] : [];
      case 'ftruncate':
        return [{ type: 'truncate', file, length: last }];
      case 'fsync':
      case 'fdatasync':
        return [{ type: 'sync', file }];
      default:
        return [];
    }
  });
};

/** The synced state of a file, and the operations on it since. */
class Disk {
  private pending: Exclude<Deed, { type: 'sync' | 'acknowledge' }>[] = [];
  private synced: Buffer;
  constructor(start: Buffer) {
    this.synced = start;
  }

  do(deed: Exclude<Deed, { type: 'acknowledge' }>): void {
    if (deed.type !== 'sync') {
      this.pending.push(deed);
      return;
    }
    for (const past of this.pending) this.synced = apply(this.synced, past, () => true);
    this.pending = [];
  }

  /** The possible contents after a cut. */
  cut(): Buffer {
    let bytes: Buffer = Buffer.from(this.synced);
    for (const deed of this.pending) {
      const fate = random();
      if (fate < 1 / 3) continue;
      bytes = apply(bytes, deed, fate < 2 / 3 ? () => true : () => random() < 0.5);
    }
    return bytes;
  }
}

const apply = (
  bytes: Buffer,
  deed: Exclude<Deed, { type: 'sync' | 'acknowledge' }>,
  isKept: (sector: number) => boolean,
): Buffer => {
  if (deed.type === 'truncate') {
    return deed.length <= bytes.length
      ? bytes.subarray(0, deed.length)
      : Buffer.concat([bytes, Buffer.alloc(deed.length - bytes.length)]);
  }
  const end = deed.offset + deed.bytes.length;
  const grown = end <= bytes.length ? bytes : Buffer.concat([bytes, Buffer.alloc(end - bytes.length)]);
  for (let at = 0; at < deed.bytes.length; at += sectorBytes) {
    if (isKept(at)) deed.bytes.copy(grown, deed.offset + at, at, Math.min(at + sectorBytes, deed.bytes.length));
  }
  return grown;
};

interface Findings {
  cuts: number;
  'cuts that lost': number;
  'damaged files': number;
  'log unlike plants': number;
  'damaged logs': number;
}

/** Repeats the recorded run, cuts it at these places, and adds to what was found. */
const cutAt = (places: readonly number[], { start, deeds }: Recording, found: Findings): void => {
  using folder = temporaryFolder();
  const path = folder.file('plants.sqlite');
  const disks = new Map([
    ['plants.sqlite', new Disk(Buffer.from(start))],
    ['plants.sqlite-wal', new Disk(Buffer.alloc(0))],
  ]);
  const acknowledged = new Map<number, number>();
  const cuts = Map.groupBy(places, (place) => place);
  for (const [index, deed] of deeds.entries()) {
    if (deed.type === 'acknowledge') acknowledged.set(deed.id, deed.step);
    else disks.get(deed.file)?.do(deed);
    for (const _ of cuts.get(index) ?? []) {
      for (const [name, disk] of disks) writeFileSync(join(folder.path, name), disk.cut());
      rmSync(`${path}-shm`, { force: true });
      if (isLogDamaged(path)) found['damaged logs'] += 1;
      const { isWhole, plants, pictures, isLogTrue } = inspectDatabase(path);
      const isKept = ([id, step]: [number, number]): boolean =>
        step === 2 ? pictures.get(id) === digests.get(id) : Number(plants.get(id)?.split('.')[1] ?? -1) >= step;
      if (![...acknowledged].every(isKept)) found['cuts that lost'] += 1;
      if (!isWhole) found['damaged files'] += 1;
      if (!isLogTrue) found['log unlike plants'] += 1;
      found.cuts += 1;
    }
  }
};

const judge = (recording: Recording, setting: string) => {
  const { deeds } = recording;
  const found: Findings = {
    cuts: 0,
    'cuts that lost': 0,
    'damaged files': 0,
    'log unlike plants': 0,
    'damaged logs': 0,
  };
  let places: number[] = [];
  for (const round of rounds.each(cutsOfPass)) {
    places.push(Math.floor(random() * deeds.length));
    if (places.length < cutsOfPass && round < rounds.max) continue;
    cutAt(places, recording, found);
    places = [];
    if (round % 500 === 0) console.error(`${setting}: ${round} cuts`);
  }
  const syncs = deeds.filter(({ type }) => type === 'sync').length;
  return {
    synchronous: setting,
    'acknowledged changes': deeds.filter(({ type }) => type === 'acknowledge').length,
    syncs,
    ...found,
  };
};

const withNormal = withPreloaded(join(import.meta.dir, 'support/synchronous-normal.ts'));
const full = judge(await record(underTest), 'FULL');
const normal = judge(await record(withNormal), 'NORMAL, the control');
console.table([full, normal]);
if (full['acknowledged changes'] !== changes.length) throw new Error('Changes are missing in the recording.');
const { expect, end } = createVerdict();
expect(full['cuts that lost'] === 0, `${full['cuts that lost']} cuts have lost acknowledged plants or pictures`);
expect(full['damaged files'] === 0, `${full['damaged files']} cuts have damaged the file`);
expect(full['log unlike plants'] === 0, `${full['log unlike plants']} cuts have left a log that is unlike the plants`);
expect(full['damaged logs'] === 0, `${full['damaged logs']} cuts seem to have damaged the log`);
expect(normal['cuts that lost'] > 0, 'the control has lost no plants, so this trial proves nothing');
expect(
  normal['damaged logs'] > 0,
  'the control has no log that lacks commits, so this trial proves nothing about them',
);
end({ cuts: full.cuts });
