/** The verdict of a trial, the control that it is judged by, and what is told of both. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/folder.ts';
import { hasPostgres } from '../../support/store/has-postgres.ts';
import { pauseMs, type Sample, shareOf } from './control.ts';
import { exitCodeOf, runTrial, type TrialOutcome } from './trial-process.ts';

const verdictFile = join(import.meta.dir, 'verdict.ts');

/** Runs a trial with these statements. The control has a processor for this share of its time. */
const run = async (statements: string, share = 1) => {
  using folder = temporaryFolder();
  const file = folder.file('trial.ts');
  await Bun.write(
    file,
    `import { createVerdict } from ${JSON.stringify(verdictFile)};
     const { expect, expectPace, expectWithin, end } = createVerdict({ share: () => ${share} });
     ${statements}`,
  );
  return await runTrial([process.execPath, file]);
};

test.each<[string, TrialOutcome, string, string[]]>([
  ['nothing is broken', 'passed', "expect(true, 'a'); expectPace(true, 'b')", []],
  ['a plant is lost', 'failed', "expect(false, 'lost')", ['data: lost']],
  ['memory grows', 'pace', "expectPace(false, 'memory grows')", ['pace: memory grows']],
  [
    'memory grows and a plant is lost',
    'failed',
    "expectPace(false, 'memory grows'); expect(false, 'lost')",
    ['pace: memory grows', 'data: lost'],
  ],
  ['the trial throws', 'failed', "throw new Error('broken')", []],
])('each fault is told with its kind, and the outcome follows: %s', async (_what, outcome, statements, faults) => {
  const result = await run(`${statements}; end();`);
  expect(result.outcome).toBe(outcome);
  expect([...result.output.matchAll(/^(?:data|pace): .*$/gm)].map(String)).toEqual(faults);
});

test('a skipped trial has its reason', async () => {
  const { outcome, skipped } = await run("console.log('skipped: a tool is not installed'); process.exit(0);");
  expect({ outcome, skipped }).toEqual({ outcome: 'skipped', skipped: 'skipped: a tool is not installed' });
});

test.each<[TrialOutcome[], number]>([
  [['passed', 'skipped'], 0],
  [['passed', 'pace'], 3],
  [['pace', 'failed', 'passed'], 1],
])('the trials %p end with %i', (outcomes, exitCode) => {
  expect(exitCodeOf(outcomes)).toBe(exitCode);
});

// The trial runs on both engines.
test.skipIf(!hasPostgres)(
  'the report has each trial with its outcome, its output, and the arguments that run it again',
  async () => {
    using folder = temporaryFolder();
    const run = [process.execPath, join(import.meta.dir, '../run.ts')];
    // Without strace on the path, this trial is skipped.
    const again = ['--trial', 'interrupted', '--program', 'bun source'];
    const { outcome, output } = await runTrial([...run, ...again, '--report', folder.file('report')], { PATH: '' });
    expect(outcome).toBe('skipped');
    expect(output).toContain('skipped: strace is not installed');
    const reported: unknown[] = (await Bun.file(folder.file('report')).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(reported).toEqual([
      {
        trial: 'interrupted',
        program: 'bun source',
        arguments: again,
        outcome: 'skipped',
        seconds: expect.any(Number),
        output: 'skipped: strace is not installed\n',
      },
    ]);
  },
);

const stop = "expectWithin(1000, 'a stop', { fromMs: 0, toMs: 2500 }); end();";

test('a time over its limit is a fault of pace if the trial had a processor', async () => {
  const { outcome, output } = await run(stop);
  expect(outcome).toBe('pace');
  expect(output).toContain('pace: a stop took 2500 ms, which count as 2500, and may take 1000');
});

test('a time over its limit is no fault if the control was slowed down as much, and is told', async () => {
  const { outcome, output } = await run(stop, 0.3);
  expect(outcome).toBe('passed');
  expect(output).toContain('beside other work, a stop took 2500 ms, which count as 750, and may take 1000');
});

test('of many times over a limit the longest is told', async () => {
  const late = "for (const toMs of [2000, 2500, 2100]) expectWithin(1000, 'a create', { fromMs: 0, toMs }); end();";
  const { output } = await run(late);
  expect(output.match(/^pace: .*$/gm)).toEqual(['pace: a create took 2500 ms, which count as 2500, and may take 1000']);
});

test('the real control runs beside a trial and ends with it', async () => {
  using folder = temporaryFolder();
  const file = folder.file('trial.ts');
  await Bun.write(
    file,
    `import { startControl } from ${JSON.stringify(join(import.meta.dir, 'control.ts'))};
     const control = startControl();
     while (control.samples().length < 2) await Bun.sleep(20);
     const [first] = control.samples();
     console.log(first.toMs > first.fromMs && first.fromMs > -1000 && first.cpuMs >= 10 ? 'measured' : JSON.stringify(first));
     console.log(control.share(0, 1000) > 0 && control.share(0, 1000) <= 1 ? 'judged' : control.share(0, 1000));
     process.exit(0);`,
  );
  const { outcome, output } = await runTrial([process.execPath, file]);
  expect(output).toBe('measured\njudged\n');
  expect(outcome).toBe('passed');
});

/** One after the other, each with the milliseconds that it took for ten of CPU time. */
const samplesOf = (...tookMs: readonly number[]): Sample[] => {
  let toMs = 0;
  return tookMs.map((ms) => {
    const fromMs = toMs;
    toMs += pauseMs + ms;
    return { fromMs, toMs, cpuMs: 10 };
  });
};

test.each([
  ['nothing is known', [], 0, 1000, 1],
  ['a quiet machine', [10, 11, 10], 0, 1200, 1],
  ['the processes of a trial alone', [20, 19, 20], 0, 1200, 1],
  ['a machine that is four times as slow', [40, 40, 40], 0, 1300, 0.5],
  ['a machine that becomes busy later', [10, 10, 200], 0, 800, 1],
  ['a machine that was busy before', [200, 10, 10, 10], 700, 1200, 1],
  ['a stall', [10, 1990], 0, 2800, (410 + 2390 * (20 / 1990)) / 2800],
  ['a time after the last sample', [10, 200], 1000, 2000, 0.1],
])('the share is that of the control meanwhile: %s', (_what, tookMs, fromMs, toMs, share) => {
  expect(shareOf(samplesOf(...tookMs), fromMs, toMs)).toBeCloseTo(share);
});
