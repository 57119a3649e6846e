/** The end of `.ci/run`: what failed by its pace alone runs once more, and nothing else does. */
import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';

const root = join(import.meta.dir, '../..');

const run = (folder: string, command: string) => {
  const child = Bun.spawnSync(['sh', '-c', `exec 2>&1; ${command}`], { cwd: folder });
  return { exitCode: child.exitCode, output: `${child.stdout}` };
};

/** A test file whose test runs this code when it runs for the first time, and passes after that. */
const failsFirst = (code: string, limitMs = 60_000): string => `
  import { expect, test } from 'bun:test';
  import { existsSync, writeFileSync } from 'node:fs';
  import { DeadlineExceeded } from '${root}/src/postgres/session/errors.ts';
  import { expectPace } from '${root}/tests/support/pace.ts';
  test('it is quick', async () => {
    const ran = import.meta.path + '.ran';
    if (existsSync(ran)) return;
    writeFileSync(ran, '');
    ${code}
  }, ${limitMs});
  test('another', () => {});`;

/** Runs the files of tests as a check of CI does, and then the second look. Returns its end, and which files ran again. */
const endRun = (files: Readonly<Record<string, string>>) => {
  using folder = temporaryFolder();
  for (const [name, code] of Object.entries(files)) writeFileSync(folder.file(`${name}.test.ts`), code);
  const first = run(folder.path, 'bun test --reporter=junit --reporter-outfile=test.xml >test.log 2>&1');
  writeFileSync(folder.file('test.command'), 'bun test --reporter=dots\n');
  const failed = first.exitCode === 0 ? '' : 'test';
  const second = run(folder.path, `bun '${root}/.ci/second-look.ts' . ${failed}`);
  const again = [...second.output.matchAll(/^== second look at (\S+)\.test\.ts:/gm)].map(([, name = '']) => name);
  return { ...second, again: again.sort(), lines: second.output.trimEnd().split('\n') };
};

const late = failsFirst('await Bun.sleep(10_000);', 500);
const beyondControl = failsFirst("expectPace('a start', 300, 200);");
const wrong = failsFirst('expect([1, 3]).toEqual([1, 2, 3]);');

describe('a failed test file', () => {
  test('one that passes alone after a failure of pace is unstable, by name and with both outputs, and does not fail the run', () => {
    const { exitCode, output, again, lines } = endRun({ late, 'beyond-control': beyondControl });
    expect(again).toEqual(['beyond-control', 'late']);
    expect(lines.at(-1)).toBe('4 passed, 0 failed, 0 skipped');
    expect(lines.at(-2)).toMatch(/^unstable: (?:beyond-control|late)\.test\.ts, (?:beyond-control|late)\.test\.ts$/);
    expect(output).toContain('PaceError: a start took 300.0 ms. Its control allows 200.0 ms.');
    expect(output).toMatch(
      /^unstable: late\.test\.ts\n {2}beside others:\n {4}\(fail\) it is quick\n[\s\S]*? {2}alone:\n[\s\S]*? 2 pass$/m,
    );
    expect(exitCode).toBe(0);
  });

  test('a database that did not answer in time is a failure of pace', () => {
    const { exitCode, again } = endRun({ slow: failsFirst('throw new DeadlineExceeded();') });
    expect([again, exitCode]).toEqual([['slow'], 0]);
  });

  test('one with a wrong value has no second look, whatever else was slow', () => {
    const { exitCode, again, lines } = endRun({ late, wrong });
    expect(again).toEqual([]);
    expect(lines.slice(-2)).toEqual(['failed: test', '2 passed, 2 failed, 0 skipped']);
    expect(exitCode).toBe(1);
  });

  test('one that is slow again fails the run', () => {
    const { exitCode, again, lines } = endRun({ late: late.replace('if (existsSync(ran)) return;', '') });
    expect(again).toEqual(['late']);
    expect(lines.slice(-2)).toEqual(['failed: test', '1 passed, 1 failed, 0 skipped']);
    expect(exitCode).toBe(1);
  });

  test('more than three that are unstable fail the run', () => {
    const names = ['one', 'two', 'three', 'four'];
    const { exitCode, again, lines } = endRun(Object.fromEntries(names.map((name) => [name, beyondControl])));
    expect(again).toEqual(names.toSorted());
    expect(lines.slice(-2)).toEqual(['More than 3 are unstable.', '8 passed, 0 failed, 0 skipped']);
    expect(exitCode).toBe(1);
  });

  test('one that cannot be loaded fails the run, although no report has it', () => {
    const { exitCode, again } = endRun({ late, broken: "import './none.ts';" });
    expect(again).toEqual([]);
    expect(exitCode).toBe(1);
  });

  test('without a failure, the run ends with the counts alone', () => {
    const { exitCode, output } = endRun({ quick: late.replace('10_000', '0') });
    expect(output).toBe('2 passed, 0 failed, 0 skipped\n');
    expect(exitCode).toBe(0);
  });
});

describe('a failed trial', () => {
  /** The end of a run whose trials had these outcomes. The second look finds no such trial, so it fails. */
  const endTrials = (...outcomes: readonly string[]) => {
    using folder = temporaryFolder();
    const lines = outcomes.map((outcome, index) =>
      JSON.stringify({
        trial: `none-${index}`,
        program: 'binary',
        arguments: ['--trial', `none-${index}`],
        outcome,
        output: outcome,
      }),
    );
    writeFileSync(folder.file('faults.trials'), lines.map((line) => `${line}\n`).join(''));
    return run(root, `bun .ci/second-look.ts '${folder.path}' faults`).output;
  };

  test('one of pace runs again, by its arguments', () => {
    expect(endTrials('passed', 'pace', 'skipped')).toContain(
      "== second look at the trial none-1 on the binary: bun tests/faults/run.ts '--trial' 'none-1'\n",
    );
  });

  test('one of data fails the run at once, whatever else was slow', () => {
    const output = endTrials('pace', 'failed');
    expect(output).not.toContain('second look');
    expect(output).toStartWith('failed: faults\n');
  });
});

test('a check without a report of tests or trials fails the run', () => {
  using folder = temporaryFolder();
  const { exitCode, output } = run(root, `bun .ci/second-look.ts '${folder.path}' lint`);
  expect(output).toBe('failed: lint\n0 passed, 0 failed, 0 skipped\n');
  expect(exitCode).toBe(1);
});
