/** The results of `bun run bench streams`, as `results.json` has them, and their table. */
import { join } from 'node:path';
import type { Series } from '../requests/results.ts';
import { show } from '../requests/tables.ts';
import { toTable } from '../support/measure.ts';

export interface StreamResults {
  /** RFC 3339. */
  readonly startedAt: string;
  /** `rate` is the number of events in a second. */
  readonly options: { readonly seconds: number; readonly rounds: number; readonly rate: number };
  /** One for each number of streams. Plant Store is the first hub. A hub is left out where a stream missed an event. */
  readonly works: readonly { readonly streams: number; readonly hubs: readonly HubResults[] }[];
}

export interface HubResults {
  readonly name: string;
  readonly figures: Readonly<Record<StreamFigure, Series>>;
}

/** `cpuUs` is the CPU time of the server, with the creates, divided by the events of all streams. The times are from a create's response. */
export type StreamFigure = 'cpuUs' | 'cores' | 'p50Ms' | 'p99Ms' | 'rssMib';

export const streamResultsPath = join(import.meta.dir, 'results.json');

export const readStreamResults = async (): Promise<StreamResults> => await Bun.file(streamResultsPath).json();

/** The cores, the CPU time of an event, and how late events arrive. */
export const toStreamTable = ({ works }: StreamResults): string =>
  toTable(
    ['cores; CPU of an event; p50, p99', ...works.map(({ streams }) => toStreamsTitle(streams))],
    (works[0]?.hubs ?? []).map(({ name }) => [
      name,
      ...works.map(({ hubs }) => {
        const figures = hubs.find((one) => one.name === name)?.figures;
        if (!figures) return 'misses events';
        const { cpuUs, cores, p50Ms, p99Ms } = figures;
        return `${cores.median.toFixed(2)}; ${show(cpuUs.median)} µs; ${show(p50Ms.median)}, ${show(p99Ms.median)} ms`;
      }),
    ]),
  );

export const toStreamsTitle = (streams: number): string =>
  streams === 1 ? 'one stream' : `${streams.toLocaleString('en')} streams`;
