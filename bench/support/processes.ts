/** Several processes of the service on one database, under a load that is spread evenly over them. */
import { check, type Figures, measure, middle, type Work } from './measure.ts';
import { seconds } from './options.ts';
import type { Database, Server } from './postgres-server.ts';
import { plantStore, type Running, run } from './servers.ts';

export interface ProcessesFigures {
  readonly perSecond: number;
  /** The median of the medians of the processes. */
  readonly p50Ms: number;
  /** The value of the slowest process. */
  readonly p99Ms: number;
  /** The CPU time of a request in all processes of the service, in microseconds. */
  readonly serviceUs: number;
  /** The CPU time of a request in all processes of PostgreSQL. */
  readonly postgresUs: number;
  /** The CPU time of a request in the load generator. */
  readonly loadUs: number;
  /** The number of cores that all three used. */
  readonly cores: number;
}

/** Starts this number of processes, which end with `resources`, and checks the responses of each. */
export const startProcesses = async (
  { url }: Pick<Database, 'url'>,
  count: number,
  resources: AsyncDisposableStack,
): Promise<readonly Running[]> => {
  const processes: Running[] = [];
  while (processes.length < count) processes.push(resources.use(await run(plantStore({ database: url }))));
  for (const running of processes) await check(running);
  return processes;
};

export const measureProcesses = async (
  server: Pick<Server, 'cpuSeconds'>,
  processes: readonly Running[],
  { load, connections }: Work,
  durationSeconds = seconds,
): Promise<ProcessesFigures> => {
  const work = { load, connections: connections / processes.length };
  const before = await server.cpuSeconds();
  const all = await Promise.all(processes.map((running) => measure(running, work, durationSeconds)));
  const postgres = ((await server.cpuSeconds()) - before) / durationSeconds;
  const perSecond = total(all, 'perSecond');
  const [service, driver] = [total(all, 'cpu') / 100, total(all, 'loadCpu') / 100];
  const toUs = (cores: number): number => (1_000_000 * cores) / perSecond;
  return {
    perSecond,
    p50Ms: middle(all.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...all.map(({ p99Ms }) => p99Ms)),
    serviceUs: toUs(service),
    postgresUs: toUs(postgres),
    loadUs: toUs(driver),
    cores: service + postgres + driver,
  };
};

const total = (all: readonly Figures[], figure: keyof Figures): number =>
  all.reduce((sum, one) => sum + one[figure], 0);
