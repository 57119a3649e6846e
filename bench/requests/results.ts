/** The results of a run, as `results.json` has them. */
import { join } from 'node:path';
import { middle } from '../support/measure.ts';

export interface Results {
  /** RFC 3339. */
  readonly startedAt: string;
  readonly durationSeconds: number;
  readonly options: Options;
  readonly machine: Machine;
  /** The versions of the programs that all servers share, by their names. */
  readonly versions: Readonly<Record<string, string>>;
  /** Plant Store is the first. */
  readonly servers: readonly ServerResults[];
  readonly works: readonly WorkResults[];
  readonly processes: readonly ProcessResults[];
}

export interface Options {
  /** How long a turn lasts. */
  readonly seconds: number;
  readonly rounds: number;
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly kernel: string;
  /** The median duration of an fdatasync after an append of 4 KiB to a file. */
  readonly syncUs: number;
}

/** A figure in each round, and its summary. Rounded to four significant digits. */
export interface Series {
  readonly rounds: readonly number[];
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
}

export interface ServerResults {
  /** The name with the versions of its stack. */
  readonly name: string;
  /** A short name for pictures. It is unique too. */
  readonly stack: string;
  /** The resident memory before the first request. */
  readonly restMib: number;
  /** The maximum resident memory after a turn with 128 connections. */
  readonly loadedMib: number;
}

/** All servers under one kind of load. */
export interface WorkResults {
  readonly load: string;
  readonly connections: number;
  readonly servers: readonly {
    readonly name: string;
    readonly figures: Readonly<Record<Figure, Series>>;
    /** The figure of Plant Store divided by that of this server, in the same round. */
    readonly ratios: Readonly<Record<'perSecond' | 'cpuUs', Series>>;
  }[];
}

/** The CPU time is that of a request in all threads of the process. The memory is measured after the turn. */
export type Figure = 'perSecond' | 'p50Ms' | 'p99Ms' | 'cpuUs' | 'rssMib';

/** This number of processes of Plant Store on one database, under one kind of load that is spread evenly over them. */
export interface ProcessResults {
  readonly database: string;
  readonly load: string;
  readonly connections: number;
  readonly processes: number;
  readonly figures: Readonly<Record<ProcessFigure, Series>>;
  /** The requests per second, divided by those of one process in the same round. */
  readonly ofOne: Series;
}

/** The CPU times are those of a request: in all processes of the service, of PostgreSQL, and of the load generator. */
export type ProcessFigure = 'perSecond' | 'p50Ms' | 'p99Ms' | 'serviceUs' | 'postgresUs' | 'loadUs' | 'cores';

export const toSeries = (values: readonly number[]): Series => ({
  rounds: values.map(round),
  median: round(middle(values)),
  least: round(Math.min(...values)),
  greatest: round(Math.max(...values)),
});

export const resultsPath = join(import.meta.dir, 'results.json');

export const readResults = async (): Promise<Results> => await Bun.file(resultsPath).json();

export const writeResults = (results: Results): Promise<void> => writeJson(resultsPath, results);

/** Writes a value as JSON, as Biome formats it. */
export const writeJson = async (path: string, value: object): Promise<void> => {
  await Bun.write(path, JSON.stringify(value));
  const format = [join(import.meta.dir, '../../node_modules/.bin/biome'), 'format', '--write', path];
  if (!Bun.spawnSync(format).success) throw new Error('Biome has failed to format the results.');
};

const round = (value: number): number => Number(value.toPrecision(4));
