/** The results of a run as tables in Markdown. */
import { toTable } from '../support/measure.ts';
import type { ProcessResults, Results, Series, WorkResults } from './results.ts';

/** The texts of docs/performance.md that are generated from results, by their names there. */
export const toSections = (results: Results): ReadonlyMap<string, string> =>
  new Map([
    ['run', describe(results)],
    ['servers', toCpuTable(results)],
    ['processes', toProcessTable(results.processes)],
  ]);

/** The names of the kinds of load. */
export const titles: Readonly<Record<string, string>> = {
  create: 'create',
  get: 'get one',
  list: 'list of 100',
  mix: '90 % get, 10 % create',
};

/** The same in tables. The page says what a mix is. */
const labels: Readonly<Record<string, string>> = { ...titles, mix: 'mix' };

/** An integer with separators, or two significant digits. */
export const show = (value: number): string =>
  value < 10 ? value.toPrecision(2) : Math.round(value).toLocaleString('en');

const describe = ({ startedAt, durationSeconds, options, machine, versions, servers }: Results): string => {
  const { cpu, cores, memoryGib, kernel, syncUs } = machine;
  const peers = new Set(servers.slice(1).map(({ name }) => name.split(', ')[0]?.replaceAll(' +', ',')));
  const memory = servers.map(({ stack, restMib, loadedMib }) => `${stack} ${restMib}→${loadedMib}`);
  const programs = Object.entries(versions).map((pair) => pair.join(' '));
  return [
    `${startedAt.slice(0, 10)}: ${options.rounds} rounds, turns of ${options.seconds} s, ${Math.round(durationSeconds / 60)} minutes in all.`,
    `${cores} × ${cpu}, ${memoryGib} GiB, Linux ${kernel}; a sync takes ${syncUs} µs.`,
    `${programs.join(', ')}. The load runs on the same machine.`,
    `The peers: ${[...peers].join('; ')}.`,
    `Resident memory in MiB, at rest→after 128 connections: ${memory.join('; ')}.`,
  ].join('\n');
};

/** The CPU time, with a row for a server and a column for a kind of load. The pictures have the requests per second. */
const toCpuTable = ({ works, servers }: Results): string => {
  const shown = works.filter(({ load, connections }) => connections > 1 || load === 'create' || load === 'get');
  const cellOf = ({ servers }: WorkResults, index: number): string => {
    const { figures, ratios } = servers[index] ?? {};
    if (!figures || !ratios) throw new Error(`There is no result ${index}.`);
    return [show(figures.cpuUs.median), ...(index === 0 ? [] : [`×${ratios.cpuUs.median.toFixed(2)}`])].join(', ');
  };
  return toTable(
    ['CPU of a request in µs', ...shown.map(({ load, connections }) => `${labels[load] ?? load}, ${connections}`)],
    servers.map(({ stack }, index) => [stack, ...shown.map((work) => cellOf(work, index))]),
  );
};

/** A row compares one process with several. */
const toProcessTable = (all: readonly ProcessResults[]): string => {
  const rows = Map.groupBy(all, ({ database, load }) => `${labels[load] ?? load}, ${database}`);
  const counts = [...new Set(all.map(({ processes }) => processes))];
  const inWords = counts.map((count) => (count === 1 ? '1 process' : `${count} processes`));
  return toTable(
    [
      '128 connections',
      ...inWords.map((count) => `requests a second, ${count}`),
      ...inWords.map((count) => `CPU, ${count}`),
    ],
    [...rows].map(([name, ofName]) => [
      name,
      ...ofName.map(({ processes, figures, ofOne }) =>
        processes === 1 ? show(figures.perSecond.median) : `${show(figures.perSecond.median)}, ×${rangeOfRatio(ofOne)}`,
      ),
      ...ofName.map(cpuOf),
    ]),
  );
};

/** The CPU time of a request in the service, and in PostgreSQL. */
const cpuOf = ({ database, figures }: ProcessResults): string =>
  `${[figures.serviceUs, ...(database === 'PostgreSQL' ? [figures.postgresUs] : [])].map(({ median }) => show(median)).join('+')} µs`;

export const rangeOfRatio = ({ median, least, greatest }: Series): string =>
  `${median.toFixed(2)} (${least.toFixed(2)}–${greatest.toFixed(2)})`;
