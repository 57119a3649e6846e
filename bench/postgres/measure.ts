/** Loads one server on PostgreSQL, and measures its CPU time and that of the database separately. */
import { type Figures, measure, middle, printTable, type Work } from '../support/measure.ts';
import { seconds } from '../support/options.ts';
import type { Server } from '../support/postgres-server.ts';
import type { Running } from '../support/servers.ts';

export interface NamedWork extends Work {
  readonly name: string;
}

interface PostgresFigures extends Figures {
  /** The CPU time of a request in the service, with all its threads, in microseconds. */
  readonly serviceUs: number;
  /** The CPU time of a request in all processes of PostgreSQL. */
  readonly postgresUs: number;
}

/** The figures of each entry in all rounds. The others are compared with the first one. */
export type PostgresMeasured = Map<string, PostgresFigures[]>;

export const measureOn = async (server: Server, running: Running, work: Work): Promise<PostgresFigures> => {
  const before = await server.cpuSeconds();
  const figures = await measure(running, work);
  const { perSecond, cpu } = figures;
  const postgresSeconds = (await server.cpuSeconds()) - before;
  return {
    ...figures,
    serviceUs: (cpu * 10_000) / perSecond,
    postgresUs: (postgresSeconds * 1_000_000) / (perSecond * seconds),
  };
};

export const add = (measured: PostgresMeasured, name: string, figures: PostgresFigures): void => {
  measured.set(name, [...(measured.get(name) ?? []), figures]);
};

export const medianOf = (measured: PostgresMeasured, name: string, figure: keyof PostgresFigures): number =>
  middle((measured.get(name) ?? []).map((one) => one[figure]));

export const printMeasuredOn = (title: string, measured: PostgresMeasured): void => {
  const [first = ''] = measured.keys();
  const rows = [...measured.keys()].map((name) => {
    const figure = (key: keyof PostgresFigures): number => medianOf(measured, name, key);
    return [
      name,
      (figure('perSecond') / medianOf(measured, first, 'perSecond')).toFixed(2),
      Math.round(figure('perSecond')).toLocaleString('en'),
      `${figure('p50Ms').toFixed(2)} ms`,
      `${figure('p99Ms').toFixed(2)} ms`,
      `${Math.round(figure('serviceUs'))} µs`,
      `${Math.round(figure('postgresUs'))} µs`,
      `${Math.round(figure('rssMib'))} MiB`,
    ];
  });
  const figures = ['ratio to the first', 'per second', 'p50', 'p99', 'CPU of a request', '… in PostgreSQL', 'RSS'];
  printTable([title, ...figures], rows);
};
