/** Measures this checkout and another one in turns, on SQLite and on PostgreSQL. The second process of each shows the noise. */
import { resolve } from 'node:path';
import { check, type Figures, measure, type Work } from '../support/measure.ts';
import { onlyLoads, rounds as roundsGiven, seconds } from '../support/options.ts';
import { startServer } from '../support/postgres-server.ts';
import { type PlantStoreOptions, plantStore, run } from '../support/servers.ts';
import { type Entrant, takeTurns } from '../support/turns.ts';

type Program = 'here' | 'other' | 'here again' | 'other again';

/** One kind of load on one engine: the CPU time of a request in the service in each round, by the program, in microseconds. */
export interface Compared {
  readonly engine: 'SQLite' | 'PostgreSQL';
  /** Such as `create@128`. */
  readonly work: string;
  readonly cpuUs: Readonly<Record<Program, readonly number[]>>;
}

/**
 * The lower quartile of the rounds of the cheaper process of this checkout, divided by that of the other one. Other work of the machine adds to a
 * round, and a virtual machine is faster while its neighbours pause, so neither the median nor the least of the rounds returns in the next
 * run. A process can keep an advantage or a disadvantage of several per cent.
 */
export const toRatioOfQuartiles = (cpuUs: Compared['cpuUs']): number =>
  Math.min(lowerQuartile(cpuUs.here), lowerQuartile(cpuUs['here again'])) /
  Math.min(lowerQuartile(cpuUs.other), lowerQuartile(cpuUs['other again']));

const lowerQuartile = (rounds: readonly number[]): number =>
  rounds.toSorted((a, b) => a - b)[Math.floor((rounds.length - 1) / 4)] ?? Number.NaN;

const nameOf = ({ load, connections }: Work): string => `${load}@${connections}`;
const allWorks: readonly Work[] = [128, 1].flatMap((connections) =>
  ['create', 'get', 'list', 'mix'].map((load) => ({ load, connections })),
);

interface CompareOptions {
  /** The loads, such as `create@128`. Default: those of `--only`; empty for all. */
  readonly only?: readonly string[];
  /** Default: that of `--rounds`. */
  readonly rounds?: number;
}

/** Measures these loads. */
export const compareWith = async (
  otherCheckout: string,
  { only = onlyLoads, rounds = roundsGiven }: CompareOptions = {},
): Promise<Compared[]> => {
  const unknown = only.find((name) => !allWorks.some((work) => nameOf(work) === name));
  if (unknown !== undefined)
    throw new Error(`--only ${unknown}: there is none. There are: ${allWorks.map(nameOf).join(', ')}`);
  const works = allWorks.filter((work) => only.length === 0 || only.includes(nameOf(work)));
  const other = [process.execPath, resolve(otherCheckout, 'src/main.ts')];
  const programs = [
    ['here', undefined],
    ['other', other],
    ['here again', undefined],
    ['other again', other],
  ] as const;

  /** `databases` has a URL for each program. By default, each uses a new file. */
  const compare = async (engine: Compared['engine'], databases: readonly string[] = []): Promise<Compared[]> => {
    await using resources = new AsyncDisposableStack();
    const entrants: (Entrant<Figures> & { readonly name: Program })[] = [];
    for (const [index, [name, program]] of programs.entries()) {
      const database = databases[index];
      const options: PlantStoreOptions = { ...(program && { program }), ...(database && { database }) };
      const running = resources.use(await run(plantStore(options)));
      await check(running);
      entrants.push({ name, measure: (work, durationSeconds) => measure(running, work, durationSeconds) });
    }
    const measured = await takeTurns(entrants, works, { rounds, seconds });
    const cpuOf = (work: Work, name: Program): number[] =>
      (measured.get(work)?.get(name) ?? []).map(({ cpuUs }) => cpuUs);
    return works.map((work) => ({
      engine,
      work: nameOf(work),
      cpuUs: {
        here: cpuOf(work, 'here'),
        other: cpuOf(work, 'other'),
        'here again': cpuOf(work, 'here again'),
        'other again': cpuOf(work, 'other again'),
      },
    }));
  };

  const onSqlite = await compare('SQLite');
  await using server = await startServer();
  await using databases = new AsyncDisposableStack();
  const urls: string[] = [];
  for (const _ of programs) urls.push(databases.use(await server.createDatabase()).url);
  return [...onSqlite, ...(await compare('PostgreSQL', urls))];
};
