/** Measures what more processes gain when the CPU is the bottleneck. */
import { median, printTable } from '../support/measure.ts';
import type { Database, Server } from '../support/postgres-server.ts';
import { measureProcesses, type ProcessesFigures } from '../support/processes.ts';
import type { Running } from '../support/servers.ts';

/** The figures of one round. */
export interface WorkFigures extends ProcessesFigures {
  readonly processes: number;
  readonly load: string;
}

export const measureWorks = async (
  server: Server,
  database: Database,
  running: readonly Running[],
): Promise<WorkFigures[]> => {
  const all: WorkFigures[] = [];
  const processes = running.length;
  for (const load of loads.keys()) {
    console.error(`processes: ${processes}; ${load}`);
    await database.settle();
    all.push({ ...(await measureProcesses(server, running, { load, connections })), processes, load });
  }
  return all;
};

export const printWorks = (measured: readonly WorkFigures[]): void => {
  const rows = [...loads].flatMap(([load, name]) => {
    const byCount = Map.groupBy(
      measured.filter((one) => one.load === load),
      ({ processes }) => processes,
    );
    const [first = []] = byCount.values();
    return [...byCount].map(([processes, all]) => [
      name,
      `${processes}`,
      Math.round(median(all, 'perSecond')).toLocaleString('en'),
      (median(all, 'perSecond') / median(first, 'perSecond')).toFixed(2),
      `${median(all, 'p50Ms').toFixed(1)} ms`,
      `${median(all, 'p99Ms').toFixed(1)} ms`,
      ...(['serviceUs', 'postgresUs', 'loadUs'] as const).map((figure) => `${Math.round(median(all, figure))} µs`),
      median(all, 'cores').toFixed(2),
    ]);
  });
  printTable([`${connections} connections`, ...columns], rows);
};

const columns = [
  ...['processes', 'requests a second', 'ratio to one process', 'p50', 'p99'],
  ...['CPU: service', 'PostgreSQL', 'load', 'cores in use'],
];

const connections = 128;

const loads = new Map([
  ['create', 'create'],
  ['get', 'get one'],
  ['mix', '90 % get, 10 % create'],
]);
