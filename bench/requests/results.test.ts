import { expect, test } from 'bun:test';
import { readResults, toSeries } from './results.ts';

const { options, servers, works } = await readResults();

test('a series has its median, least and greatest value', () => {
  expect(toSeries([3, 1.23456, 20])).toEqual({ rounds: [3, 1.235, 20], median: 3, least: 1.235, greatest: 20 });
});

test('the results have every server under every kind of load, with a value for each round', () => {
  expect(works.map(({ load, connections }) => `${load} ${connections}`).join()).toBe(
    'create 128,get 128,list 128,mix 128,create 1,get 1,list 1,mix 1',
  );
  for (const work of works) {
    expect(work.servers.map(({ name }) => name)).toEqual(servers.map(({ name }) => name));
    for (const { figures, ratios } of work.servers) {
      for (const series of [...Object.values(figures), ...Object.values(ratios)]) {
        expect(series.rounds).toHaveLength(options.rounds);
        expect(series).toEqual(toSeries(series.rounds));
        expect(series.least).toBeGreaterThan(0);
      }
    }
  }
});

test('a ratio divides the figure of Plant Store by that of another server in the same round', () => {
  for (const { servers } of works) {
    const [ours] = servers;
    for (const { figures, ratios } of servers) {
      for (const figure of ['cpuUs', 'perSecond'] as const) {
        for (const [round, ratio] of ratios[figure].rounds.entries()) {
          const quotient = (ours?.figures[figure].rounds[round] ?? Number.NaN) / (figures[figure].rounds[round] ?? 0);
          expect(Math.abs(ratio / quotient - 1)).toBeLessThan(0.002);
        }
      }
    }
  }
});
