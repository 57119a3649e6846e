/** The report of `bun run conformance`: a row for each tool, and the problems. */
import { describe, expect, test } from 'bun:test';
import type { Tool } from '../../conformance/features.ts';
import { type Result, reportOn } from '../../conformance/report.ts';

const file = 'conformance/a.test.ts';
const by = { file, test: 'a %s is read' };
const tool: Tool = {
  name: 'a',
  kind: 'linter',
  language: 'Go',
  registry: 'npm',
  package: 'a',
  version: '1.0.0',
  runs: [{ script: 'lint:a' }],
  verdicts: [{ feature: 'links', verdict: 'right', date: '2026-11-22', seen: 's', by }],
  notes: [],
};
const wrong: Tool = { ...tool, verdicts: tool.verdicts.map((verdict) => ({ ...verdict, verdict: 'wrong' })) };

const script = (outcome: Result['outcome']): Result => ({ run: { script: 'lint:a' }, outcome, seconds: 1.04 });
const testOf = (name: string, outcome: Result['outcome']): Result => ({
  run: { file, test: name },
  outcome,
  seconds: 0.5,
});

describe('the verdict of a row', () => {
  test.each<[string, string, Tool, Result[]]>([
    ['passed', 'every run has passed', tool, [script('passed'), testOf('a link is read', 'passed')]],
    ['failed', 'a script has failed', wrong, [script('failed'), testOf('a link is read', 'passed')]],
    ['failed', 'a test has failed', wrong, [script('passed'), testOf('a link is read', 'failed')]],
    ['failed', 'nothing ran', tool, []],
    [
      'known defect',
      'the tool still has a known defect',
      wrong,
      [script('passed'), testOf('a link is read', 'passed')],
    ],
    ['passed', 'the test of the defect was skipped', wrong, [script('passed'), testOf('a link is read', 'skipped')]],
    ['skipped', 'every run was skipped', { ...wrong, runs: [] }, [testOf('a link is read', 'skipped')]],
  ])('the verdict is %s when %s', (verdict, _when, tool, results) => {
    expect(reportOn([tool], results).rows).toMatchObject([{ tool: 'a', version: '1.0.0', verdict }]);
  });
});

test('a row has the scripts and files that ran, their duration, and the reason for a skipped test', () => {
  const results = [script('passed'), testOf('a link is read', 'skipped'), testOf('a tag is read', 'passed')];
  expect(reportOn([{ ...wrong, needs: 'Go' }], results)).toEqual({
    rows: [
      {
        tool: 'a',
        version: '1.0.0',
        ran: ['lint:a', file],
        verdict: 'known defect',
        defects: ['links'],
        reason: 'It needs Go.',
        seconds: 2,
      },
    ],
    problems: [],
  });
});

test('a tool without a script or test in conformance/ has no row', () => {
  expect(reportOn([{ ...tool, runs: [], verdicts: [] }], [])).toEqual({ rows: [], problems: [] });
  const elsewhere = { ...by, file: 'tests/house/a.test.ts' };
  const verdicts = tool.verdicts.map((verdict) => ({ ...verdict, by: elsewhere }));
  expect(reportOn([{ ...tool, runs: [], verdicts }], [])).toEqual({ rows: [], problems: [] });
});

describe('a problem of the report', () => {
  const all = [script('passed'), testOf('a link is read', 'passed')];

  test.each<[string, Result[], string]>([
    [
      'a test that belongs to no tool',
      [...all, testOf('b', 'passed')],
      `No tool in features.json has the test "b" of ${file}.`,
    ],
    ['a script that did not run', all.slice(1), 'a has the script lint:a in features.json, which did not run.'],
    [
      'a test that did not run',
      all.slice(0, 1),
      `a has the test "a %s is read" of ${file} in features.json, which did not run.`,
    ],
    [
      'a test that was skipped without a reason',
      [script('passed'), testOf('a link is read', 'skipped')],
      'a was skipped, and features.json does not say what it needs.',
    ],
  ])('the report names %s', (_what, results, problem) => {
    expect(reportOn([tool], results).problems).toEqual([problem]);
  });
});
