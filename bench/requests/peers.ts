/** The service and its peers: each on a separate database, under the same kinds of load, in turn. */
import { existsSync, truncateSync } from 'node:fs';
import { check, type Figures, measure, rssMib, type Work } from '../support/measure.ts';
import { type Running, run } from '../support/servers.ts';
import { type Entrant, type TurnOptions, takeTurns } from '../support/turns.ts';
import type { Contestant } from './contestants.ts';
import { type Figure, type Series, type ServerResults, toSeries, type WorkResults } from './results.ts';
import { checkSameWork } from './same-work.ts';

export interface PeerResults {
  readonly servers: readonly ServerResults[];
  readonly works: readonly WorkResults[];
}

/** The first contestant is the service. */
export const comparePeers = async (contestants: readonly Contestant[], options: TurnOptions): Promise<PeerResults> => {
  await using resources = new AsyncDisposableStack();
  const entrants: (Entrant<Figures> & Pick<ServerResults, 'stack' | 'restMib'>)[] = [];
  for (const contestant of contestants) {
    console.error(`start: ${contestant.name}`);
    entrants.push(await enter(contestant, resources));
  }
  const measured = await takeTurns(entrants, works, options);
  const turnsOf = (work: Work, name: string): readonly Figures[] => measured.get(work)?.get(name) ?? [];
  return {
    servers: entrants.map(({ name, stack, restMib }) => {
      const loaded = works.filter(({ connections }) => connections === 128).flatMap((work) => turnsOf(work, name));
      return {
        name,
        stack,
        restMib: Math.round(restMib),
        loadedMib: Math.round(Math.max(...loaded.map(({ rssMib }) => rssMib))),
      };
    }),
    works: works.map((work) => ({
      ...work,
      servers: entrants.map(({ name }) => ({
        name,
        figures: summarize(turnsOf(work, name)),
        ratios: compare(turnsOf(work, contestants[0]?.name ?? ''), turnsOf(work, name)),
      })),
    })),
  };
};

const works: readonly Work[] = [128, 1].flatMap((connections) =>
  ['create', 'get', 'list', 'mix'].map((load) => ({ load, connections })),
);

const enter = async (contestant: Contestant, resources: AsyncDisposableStack) => {
  await checkWork(contestant);
  const running = resources.use(await run(contestant));
  const restMib = await rssMib(running.pid);
  await check(running);
  return {
    name: contestant.name,
    stack: contestant.stack,
    restMib,
    measure: async (work: Work, durationSeconds: number) => {
      const turn = await measure(running, work, durationSeconds);
      emptyLog(running);
      return turn;
    },
  };
};

/** In a separate process and database, since its plants differ from those of the load. */
const checkWork = async (contestant: Contestant): Promise<void> => {
  await using running = await run(contestant);
  await checkSameWork(contestant, running);
};

/** The logs of a whole run would take some gigabytes. The ceiling has none. */
const emptyLog = ({ log }: Running): void => {
  if (existsSync(log)) truncateSync(log);
};

const summarize = (turns: readonly Figures[]): Record<Figure, Series> => {
  const of = (figure: Figure): Series => toSeries(turns.map((turn) => turn[figure]));
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuUs: of('cpuUs'),
    rssMib: of('rssMib'),
  };
};

/** Within each round. */
const compare = (ours: readonly Figures[], others: readonly Figures[]) => {
  const of = (figure: Figure): Series =>
    toSeries(others.map((other, round) => (ours[round]?.[figure] ?? Number.NaN) / other[figure]));
  return { perSecond: of('perSecond'), cpuUs: of('cpuUs') };
};
