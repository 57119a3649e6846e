/** The report of `bun run conformance`: a row for each tool, and the problems. */
import { describe, expect, test } from 'bun:test';
import { type Result, reportOn } from '../../conformance/report.ts';
import type { Tool } from '../../conformance/runs.ts';

const file = 'conformance/a.test.ts';
const run = { file, startsWith: 'a ' };
const tool: Tool = { name: 'a', registry: 'npm', package: 'a', runs: [{ script: 'lint:a' }, run] };
const versions = new Map([['npm a', '1.0.0']]);

const script = (outcome: Result['outcome']): Result => ({ run: { script: 'lint:a' }, outcome, seconds: 1.04 });
const testOf = (name: string, outcome: Result['outcome']): Result => ({
  run: { file, test: name },
  outcome,
  seconds: 0.5,
});

describe('the verdict of a row', () => {
  test.each<[string, string, Tool, Result[]]>([
    ['passed', 'every run has passed', tool, [script('passed'), testOf('a link is read', 'passed')]],
    ['failed', 'a script has failed', tool, [script('failed'), testOf('a link is read', 'passed')]],
    ['failed', 'a test has failed', tool, [script('passed'), testOf('a link is read', 'failed')]],
    ['failed', 'nothing ran', tool, []],
    ['passed', 'some tests were skipped', tool, [script('passed'), testOf('a link is read', 'skipped')]],
    ['skipped', 'every run was skipped', { ...tool, runs: [run] }, [testOf('a link is read', 'skipped')]],
  ])('the verdict is %s when %s', (verdict, _when, tool, results) => {
    expect(reportOn([tool], versions, results).rows).toMatchObject([{ tool: 'a', version: '1.0.0', verdict }]);
  });
});

test('a row has the scripts and files that ran, their duration, and the reason for a skipped test', () => {
  const results = [script('passed'), testOf('a link is read', 'skipped'), testOf('a tag is read', 'passed')];
  expect(reportOn([{ ...tool, needs: 'Go' }], versions, results)).toEqual({
    rows: [
      {
        tool: 'a',
        version: '1.0.0',
        ran: ['lint:a', file],
        verdict: 'passed',
        reason: 'It needs Go.',
        seconds: 2,
      },
    ],
    problems: [],
  });
});

describe('a problem of the report', () => {
  const all = [script('passed'), testOf('a link is read', 'passed')];

  test.each<[string, Result[], string]>([
    [
      'a test that belongs to no tool',
      [...all, testOf('b', 'passed')],
      `No tool in runs.ts has the test "b" of ${file}.`,
    ],
    ['a script that did not run', all.slice(1), 'a has the script lint:a in runs.ts, which did not run.'],
    ['a test that did not run', all.slice(0, 1), `a has tests "a …" of ${file} in runs.ts, which did not run.`],
    [
      'a test that was skipped without a reason',
      [script('passed'), testOf('a link is read', 'skipped')],
      'a was skipped, and runs.ts does not say what it needs.',
    ],
  ])('the report names %s', (_what, results, problem) => {
    expect(reportOn([tool], versions, results).problems).toEqual([problem]);
  });
});
