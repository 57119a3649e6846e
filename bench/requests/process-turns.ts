/** Compares one and two processes of the service on one SQLite file, and on one PostgreSQL database, in turns, in at most three rounds. */
import { temporaryFolder } from '../../tests/support/folder.ts';
import type { Work } from '../support/measure.ts';
import type { Server } from '../support/postgres-server.ts';
import { measureProcesses, type ProcessesFigures, startProcesses } from '../support/processes.ts';
import { type Entrant, type TurnOptions, takeTurns } from '../support/turns.ts';
import { type ProcessFigure, type ProcessResults, type Series, toSeries } from './results.ts';

export const compareProcesses = async (
  postgres: Server,
  { seconds, rounds }: TurnOptions,
): Promise<ProcessResults[]> => {
  await using resources = new AsyncDisposableStack();
  const entrants: (Entrant<ProcessesFigures> & Setting)[] = [];
  for (const database of databases) {
    for (const processes of counts) entrants.push(await enter({ database, processes }, postgres, resources));
  }
  const measured = await takeTurns(entrants, works, { seconds, rounds: Math.min(rounds, roundsMax) });
  return works.flatMap((work) =>
    entrants.map(({ name, database, processes }) => {
      const turnsOf = (of: string): readonly ProcessesFigures[] => measured.get(work)?.get(of) ?? [];
      const ofOne = turnsOf(nameOf({ database, processes: 1 }));
      const turns = turnsOf(name);
      return {
        database,
        ...work,
        processes,
        figures: summarize(turns),
        ofOne: toSeries(turns.map(({ perSecond }, round) => perSecond / (ofOne[round]?.perSecond ?? Number.NaN))),
      };
    }),
  );
};

/** Fewer rounds than for the peers, so that a run takes about twelve minutes. */
const roundsMax = 3;

const databases = ['SQLite', 'PostgreSQL'] as const;
const counts = [1, 2];
const works: readonly Work[] = ['create', 'get', 'mix'].map((load) => ({ load, connections: 128 }));

interface Setting {
  readonly database: (typeof databases)[number];
  readonly processes: number;
}

const noServer: Pick<Server, 'cpuSeconds'> = { cpuSeconds: async () => 0 };

const nameOf = ({ database, processes }: Setting): string => `${database}, ${processes}`;

/** Starts the processes on a separate database. */
const enter = async (setting: Setting, postgres: Server, resources: AsyncDisposableStack) => {
  console.error(`start: ${nameOf(setting)}`);
  const url =
    setting.database === 'SQLite'
      ? resources.use(temporaryFolder()).file('plants.sqlite')
      : resources.use(await postgres.createDatabase()).url;
  const processes = await startProcesses({ url }, setting.processes, resources);
  const server = setting.database === 'SQLite' ? noServer : postgres;
  return {
    ...setting,
    name: nameOf(setting),
    measure: (work: Work, durationSeconds: number) => measureProcesses(server, processes, work, durationSeconds),
  };
};

const summarize = (turns: readonly ProcessesFigures[]): Record<ProcessFigure, Series> => {
  const of = (figure: ProcessFigure): Series => toSeries(turns.map((turn) => turn[figure]));
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    serviceUs: of('serviceUs'),
    postgresUs: of('postgresUs'),
    loadUs: of('loadUs'),
    cores: of('cores'),
  };
};
