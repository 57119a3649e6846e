/** The service and its peers under each kind of load. */
import { contestants } from './contestants.ts';
import { check, type Figures, type Measured, measure, printMeasured, type Work } from './measure.ts';
import { rounds } from './options.ts';
import { run } from './servers.ts';

export interface NamedWork extends Work {
  readonly name: string;
}

const creating = (connections: number): NamedWork => ({ name: `create, ${connections}`, load: 'create', connections });
export const createBy128 = creating(128);
export const getBy128: NamedWork = { name: 'get one, 128', load: 'get', connections: 128 };

const works: readonly NamedWork[] = [
  creating(1),
  creating(16),
  createBy128,
  creating(512),
  getBy128,
  { name: 'list 100, 128', load: 'list', connections: 128 },
  { name: '90 % get, 10 % create, 128', load: 'mix', connections: 128 },
];

/** What was measured, for each work. */
export type Results = ReadonlyMap<NamedWork, Measured>;

export const comparePeers = async (): Promise<Results> => {
  const results = new Map(works.map((work) => [work, new Map<string, Figures[]>()]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const contestant of contestants) {
      console.error(`round ${round} of ${rounds}: ${contestant.name}`);
      await using running = await run(contestant);
      await check(running);
      for (const [work, measured] of results) {
        measured.set(contestant.name, [...(measured.get(contestant.name) ?? []), await measure(running, work)]);
      }
    }
  }
  for (const [{ name }, measured] of results) printMeasured(name, measured);
  return results;
};
