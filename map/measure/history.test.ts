/** The history of a tool: what changed between versions, and what its committed results are. */
import { expect, test } from 'bun:test';
import { readAdapters } from './adapter.ts';
import type { VerdictData } from './data.ts';
import { readHistory, stepsOf } from './history.ts';
import type { Verdict } from './verdict.ts';

const verdictOn = (feature: string, verdict: Verdict): VerdictData => ({
  feature,
  verdict,
  openapi: '3.1',
  date: '2026-11-25',
  seen: '',
  checks: [],
});

test('a step has the verdicts that changed, of the features that both versions were asked for', () => {
  const steps = stepsOf([
    {
      version: '2.0.0',
      verdicts: [verdictOn('info', 'right'), verdictOn('links', 'right'), verdictOn('tags', 'wrong')],
    },
    { version: '1.1.0', verdicts: [verdictOn('info', 'ignored'), verdictOn('links', 'right')] },
    { version: '1.0.0', verdicts: [verdictOn('info', 'ignored')] },
  ]);
  expect(steps).toEqual([
    { from: '1.1.0', to: '2.0.0', changes: [{ feature: 'info', from: 'ignored', to: 'right' }], asked: 2 },
    { from: '1.0.0', to: '1.1.0', changes: [], asked: 1 },
  ]);
});

test('every earlier version belongs to a tool, is older than the present one, and has answers', async () => {
  const history = (await readAdapters()).flatMap(({ id, version }) =>
    readHistory(id).map((results) => ({ id, present: version, ...results })),
  );
  expect(new Set(history.map(({ id }) => id)).size).toBeGreaterThanOrEqual(20);
  for (const { version, present, answers } of history) {
    expect(Bun.semver.order(version, present)).toBe(-1);
    expect(Object.keys(answers).length).toBeGreaterThan(10);
  }
});
