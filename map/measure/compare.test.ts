/** What is printed about two measurements, and the commands that compare them. */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Grade } from './check.ts';
import { differencesBetween, type Measured } from './compare.ts';
import type { MapData, Verdict } from './data.ts';

const tool = (version: string, verdict: Verdict, grade: Grade): Measured => ({
  id: 'tool',
  version,
  verdicts: [
    {
      feature: 'int64',
      openapi: '3.1',
      verdict,
      date: '2026-11-23',
      seen: '',
      checks: [
        { check: 'a call', isBasic: true, command: '', input: '', expected: 'a', observed: 'a', grade: 'right' },
        { check: 'a call', isBasic: false, command: '', input: '', expected: 'b', observed: grade, grade },
      ],
    },
  ],
});

test('a verdict that differs is printed with the checks that decide', () => {
  const lines = differencesBetween([tool('1', 'ignored', 'ignored')], [tool('2', 'right', 'right')]);
  expect(lines).toEqual(['tool, int64: ignored → right', '  a call: ignored (ignored) → right (right)']);
});

test('a check that differs is printed although the verdict stays', () => {
  const lines = differencesBetween([tool('1', 'partly', 'ignored')], [tool('2', 'partly', 'wrong')]);
  expect(lines).toEqual(['tool, int64: partly → partly', '  a call: ignored (ignored) → wrong (wrong)']);
});

test('equal measurements, and features that were not measured, print nothing', () => {
  expect(differencesBetween([tool('1', 'right', 'right')], [tool('2', 'right', 'right')])).toEqual([]);
  expect(differencesBetween([tool('1', 'right', 'right')], [tool('2', 'wrong', 'wrong')], () => false)).toEqual([]);
});

test('a verdict that one of the two does not have is printed', () => {
  const [one] = [tool('1', 'right', 'right')];
  expect(differencesBetween([], [one])).toEqual(['tool, int64: no verdict → right']);
  expect(differencesBetween([one], [{ ...one, verdicts: [] }])).toEqual(['tool, int64: right → no verdict']);
});

const execute = async (script: string, ...words: string[]) => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '..', script), ...words], { stderr: 'pipe' });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited };
};

test('two reports are compared, with their dates, commits, environments and versions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'map-compare-'));
  const write = async (name: string, commit: string, measured: Measured): Promise<string> => {
    const rest = {
      name: 'Tool',
      kind: 'linter',
      language: 'Go',
      registry: 'go',
      package: 'tool',
      notes: [],
      earlier: [],
    } as const;
    const tools = [{ ...rest, ...measured }];
    const report: MapData = { date: '2026-11-23', commit, environment: 'linux', features: [], tools };
    await Bun.write(join(folder, name), JSON.stringify(report));
    return join(folder, name);
  };
  try {
    const old = await write('old.json', 'aaa', tool('1', 'wrong', 'wrong'));
    const now = await write('new.json', 'bbb', tool('2', 'right', 'right'));
    const { stdout, exitCode } = await execute('compare.ts', old, now);
    expect({ exitCode, lines: stdout.trim().split('\n') }).toEqual({
      exitCode: 0,
      lines: [
        'from 2026-11-23, commit aaa, linux',
        'to 2026-11-23, commit bbb, linux',
        'tool: version 1 → 2',
        'tool, int64: wrong → right',
        '  a call: wrong (wrong) → right (right)',
      ],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ['compare.ts', [], 'Usage: bun run map compare OLD.json [NEW.json]'],
  ['compare.ts', ['/nothing.json'], 'There is no report /nothing.json'],
  ['run.ts', ['--tool', 'nothing'], 'There is no tool nothing. There are: '],
  ['run.ts', ['--version', '1.0.0'], '--version needs one --tool'],
  ['run.ts', ['--tool', 'orval', '--against', '/nothing.json'], 'There is no report /nothing.json'],
])('%s with %p says what is wrong', async (script, words, message) => {
  const { stderr, exitCode } = await execute(script, ...words);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(2);
});
