/** The machine of a run, and the programs that all servers share. */
import { Database } from 'bun:sqlite';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { middle } from '../support/measure.ts';
import type { Machine } from './results.ts';

export const describeMachine = (): Machine => {
  const [cpu] = cpus();
  return {
    cpu: cpu?.model ?? '',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    syncUs: Math.round(measureSync()),
  };
};

export const readVersions = (): Record<string, string> => {
  using database = new Database();
  const sqlite = database.query<{ version: string }, []>('SELECT sqlite_version() AS version').get();
  const wrk = /wrk (\S+)/.exec(Bun.spawnSync(['wrk', '-v']).stdout.toString())?.[1];
  return { Bun: Bun.version, 'SQLite of Bun': sqlite?.version ?? '', wrk: wrk ?? '' };
};

const syncs = 301;

/** The median duration of many syncs in the folder of the databases, in microseconds. */
const measureSync = (): number => {
  using folder = temporaryFolder();
  const file = openSync(folder.file('appended'), 'a');
  const durations: number[] = [];
  while (durations.length < syncs) {
    writeSync(file, new Uint8Array(4096));
    const startedAtMs = performance.now();
    fdatasyncSync(file);
    durations.push((performance.now() - startedAtMs) * 1000);
  }
  closeSync(file);
  return middle(durations);
};
