/** The results of a run as tables in Markdown. */
import { toTable } from '../support/measure.ts';
import type { ProcessResults, Results, Series, WorkResults } from './results.ts';

/** The texts of docs/performance.md that are generated from results, by their names there. */
export const toSections = (results: Results): ReadonlyMap<string, string> =>
  new Map([
    ['run', describe(results)],
    ['servers', results.works.map(toWorkTable).join('\n\n')],
    ['memory', toMemoryTable(results)],
    ['processes', toProcessTable(results.processes)],
  ]);

/** The names of the kinds of load. */
export const titles: Readonly<Record<string, string>> = {
  create: 'create',
  get: 'get one',
  list: 'list of 100',
  mix: '90 % get, 10 % create',
};

/** An integer with separators, or two significant digits. */
export const show = (value: number): string =>
  value < 10 ? value.toPrecision(2) : Math.round(value).toLocaleString('en');

const describe = ({ startedAt, durationSeconds, options, machine, versions }: Results): string => {
  const { cpu, cores, memoryGib, kernel, syncUs } = machine;
  const programs = Object.entries(versions).map((pair) => pair.join(' '));
  return [
    `${startedAt.slice(0, 10)}: ${options.rounds} rounds, turns of ${options.seconds} s, ${Math.round(durationSeconds / 60)} minutes in all.`,
    `${cores} × ${cpu}, ${memoryGib} GiB, Linux ${kernel}; a sync takes ${syncUs} µs.`,
    `${programs.join(', ')}. The load runs on the same machine.`,
  ].join('\n');
};

const toWorkTable = ({ load, connections, servers }: WorkResults): string =>
  toTable(
    [
      `${titles[load] ?? load}, ${connections === 1 ? '1 connection' : `${connections} connections`}`,
      'CPU of a request',
      'Plant Store takes',
      'requests a second',
      'Plant Store answers',
      'p50',
      'p99',
    ],
    servers.map(({ name, figures, ratios }) => [
      name,
      `${range(figures.cpuUs)} µs`,
      `× ${rangeOfRatio(ratios.cpuUs)}`,
      range(figures.perSecond),
      `× ${rangeOfRatio(ratios.perSecond)}`,
      `${show(figures.p50Ms.median)} ms`,
      `${show(figures.p99Ms.median)} ms`,
    ]),
  );

const toMemoryTable = ({ servers }: Results): string =>
  toTable(
    ['resident memory', 'before the first request', 'after 128 connections, at most'],
    servers.map(({ name, restMib, loadedMib }) => [name, `${restMib} MiB`, `${loadedMib} MiB`]),
  );

/** The columns of a table of several processes, after the first column. */
export const processColumns = [
  'processes',
  'requests a second',
  'ratio to one process',
  'p50',
  'p99',
  'CPU: service',
  'PostgreSQL',
  'load',
  'cores in use',
];

const toProcessTable = (processes: readonly ProcessResults[]): string =>
  toTable(
    ['128 connections', ...processColumns],
    processes.map(({ database, load, processes, figures, ofOne }) => [
      `${titles[load] ?? load}, ${database}`,
      `${processes}`,
      range(figures.perSecond),
      rangeOfRatio(ofOne),
      ...[figures.p50Ms, figures.p99Ms].map(({ median }) => `${show(median)} ms`),
      `${show(figures.serviceUs.median)} µs`,
      database === 'PostgreSQL' ? `${show(figures.postgresUs.median)} µs` : '',
      `${show(figures.loadUs.median)} µs`,
      figures.cores.median.toFixed(2),
    ]),
  );

/** The median, with the least and the greatest value of all rounds. */
const range = ({ median, least, greatest }: Series): string => `${show(median)} (${show(least)}–${show(greatest)})`;

export const rangeOfRatio = ({ median, least, greatest }: Series): string =>
  `${median.toFixed(2)} (${least.toFixed(2)}–${greatest.toFixed(2)})`;
