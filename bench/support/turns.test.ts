import { expect, test } from 'bun:test';
import type { Work } from './measure.ts';
import { type Entrant, takeTurns } from './turns.ts';

const works: readonly Work[] = [
  { load: 'get', connections: 128 },
  { load: 'get', connections: 1 },
  { load: 'list', connections: 1 },
];

/** Entrants that measure nothing, and record each call. */
const record = async (rounds: number) => {
  const calls: string[] = [];
  const entrants = ['a', 'b', 'c'].map(
    (name): Entrant<string> => ({
      name,
      measure: async ({ load, connections }, durationSeconds) => {
        calls.push(`${name} ${load} ${connections} ${durationSeconds}`);
        return `${name} ${calls.length}`;
      },
    }),
  );
  return { calls, measured: await takeTurns(entrants, works, { rounds, seconds: 2 }) };
};

test('each entrant is warmed up once under each kind of load, and the warm-up is not counted', async () => {
  const { calls, measured } = await record(1);
  const warmUps = calls.filter((call) => call.endsWith(' 1'));
  expect(warmUps).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} get 128 1`, `${name} list 1 1`]));
  expect([...measured.values()].flatMap((byName) => [...byName.values()].flat())).toHaveLength(9);
});

test('each round has one turn of each entrant under each kind of load, and no two rounds have the same order', async () => {
  const { calls, measured } = await record(3);
  for (const byName of measured.values()) {
    for (const [name, turns] of byName) {
      expect(turns).toHaveLength(3);
      expect(turns.every((turn) => turn.startsWith(name))).toBe(true);
    }
  }
  const turns = calls.filter((call) => call.endsWith(' 2'));
  const orders = [0, 1, 2].map((round) =>
    turns
      .slice(9 * round, 9 * round + 3)
      .map(([name]) => name)
      .join(''),
  );
  expect(new Set(orders).size).toBe(3);
});

test('a turn whose requests fail fails the run', async () => {
  const failing: Entrant<string> = {
    name: 'a',
    measure: async (_, durationSeconds) => {
      if (durationSeconds === 2) throw new Error('requests of get failed');
      return '';
    },
  };
  await expect(takeTurns([failing], works, { rounds: 1, seconds: 2 })).rejects.toThrow('requests of get failed');
});
