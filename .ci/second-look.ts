/**
 * `bun .ci/second-look.ts FOLDER [FAILED CHECK]…`: ends a run of the checks. What failed by its pace alone runs once more, when nothing else
 * runs: a test file whose failures are all of pace (tests/support/project/junit.ts), and a trial with the outcome `pace`. What
 * then passes is unstable: it is printed with both outputs, and fails the run only if there are more than three. Every other failure is final.
 *
 * In the folder, a check of tests has `NAME.command`, a command that runs the files after it, with its JUnit report in `NAME.xml` and its output
 * in `NAME.log`; and a check of trials has `NAME.trials`, the report of tests/faults/run.ts. Every other check that failed is final.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reported } from '../tests/faults/run.ts';
import { hasFailedByPace, readTestCases, type TestCase } from '../tests/support/project/junit.ts';

const unstableMax = 3;

/** Beyond this number the change is at fault, or the machine; to run all of them again could take hours. */
const secondLooksMax = 10;

const linesMax = 40;

/** What failed by its pace. */
interface Late {
  readonly check: string;
  readonly name: string;
  readonly output: string;
  /** Runs it again, in a shell. */
  readonly command: string;
}

const [folder = '', ...failedChecks] = process.argv.slice(2);

const pathOf = (check: string, kind: string): string => join(folder, `${check}.${kind}`);

const readReport = (check: string, kind: string): string | undefined =>
  existsSync(pathOf(check, kind)) ? readFileSync(pathOf(check, kind), 'utf8') : undefined;

/** What failed by its pace in a failed check. Undefined if something else failed. */
const findLate = (check: string): readonly Late[] | undefined => {
  const command = readReport(check, 'command');
  const late = command !== undefined ? findLateFiles(check, command.trim()) : findLateTrials(check);
  return late && late.length > 0 ? late : undefined;
};

const findLateFiles = (check: string, command: string): readonly Late[] | undefined => {
  const tests = readTests(check);
  if (!hasFailedByPace(tests, readReport(check, 'log') ?? '')) return undefined;
  const failures = tests.filter(({ outcome }) => outcome === 'failed');
  return Object.entries(Object.groupBy(failures, ({ file }) => file)).map(([file, cases = []]) => ({
    check,
    name: file,
    output: cases.map(describe).join('\n'),
    command: `${command} ${file}`,
  }));
};

const readTests = (check: string): readonly TestCase[] => readTestCases(readReport(check, 'xml') ?? '');

const describe = ({ name, message }: TestCase): string => `(fail) ${name}\n${message}`;

const findLateTrials = (check: string): readonly Late[] | undefined => {
  const trials = (readReport(check, 'trials') ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Reported => JSON.parse(line));
  if (trials.some(({ outcome }) => outcome === 'failed')) return undefined;
  return trials
    .filter(({ outcome }) => outcome === 'pace')
    .map(({ trial, program, output, arguments: words }) => ({
      check,
      name: `the trial ${trial} on the ${program}`,
      output,
      command: `bun tests/faults/run.ts ${words.map((word) => `'${word}'`).join(' ')}`,
    }));
};

/** Runs it alone, and resolves to its output, and whether it passed. */
const runAgain = async ({ name, command }: Late): Promise<{ readonly hasPassed: boolean; readonly output: string }> => {
  console.log(`== second look at ${name}: ${command}`);
  const child = Bun.spawn(['sh', '-c', `exec 2>&1; ${command}`], { stdin: 'ignore', stdout: 'pipe' });
  const [output, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
  return { hasPassed: exitCode === 0, output };
};

const lastLines = (text: string): string => {
  const lines = text.trimEnd().split('\n').slice(-linesMax);
  return lines.map((line) => `    ${line}`).join('\n');
};

const found = failedChecks.map((check) => ({ check, late: findLate(check) }));
const final = found.filter(({ late }) => late === undefined).map(({ check }) => check);
const late = found.flatMap(({ late = [] }) => late);
const unstable: (Late & { readonly second: string })[] = [];
const failedAgain: Late[] = [];

if (late.length > secondLooksMax) failedAgain.push(...late);
else
  for (const one of late) {
    const { hasPassed, output } = await runAgain(one);
    if (hasPassed) unstable.push({ ...one, second: output });
    else failedAgain.push({ ...one, output });
  }

const isUnstable = (check: string, file: string): boolean =>
  unstable.some((one) => one.check === check && one.name === file);

const reports = readdirSync(folder)
  .filter((file) => file.endsWith('.command'))
  .map((file) => {
    const check = file.slice(0, -'.command'.length);
    // A file that passed the second time counts as passed.
    return readTests(check).map((one) =>
      isUnstable(check, one.file) && one.outcome === 'failed' ? { ...one, outcome: 'passed' as const } : one,
    );
  });
const cases = reports.flat();
const count = (outcome: TestCase['outcome']): number => cases.filter((one) => one.outcome === outcome).length;

for (const one of cases) if (one.outcome === 'failed') console.log(`failed: ${one.file}: ${one.name}\n${one.message}`);
for (const { name, output } of failedAgain) console.log(`failed twice: ${name}\n${lastLines(output)}`);
for (const { name, output, second } of unstable)
  console.log(`unstable: ${name}\n  beside others:\n${lastLines(output)}\n  alone:\n${lastLines(second)}`);
if (unstable.length > 0) console.log(`unstable: ${unstable.map(({ name }) => name).join(', ')}`);
if (unstable.length > unstableMax) console.log(`More than ${unstableMax} are unstable.`);
const failed = [...final, ...new Set(failedAgain.map(({ check }) => check))];
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);

const isRun = reports.length > 0 && reports.every((run) => run.some(({ outcome }) => outcome === 'passed'));
process.exit(isRun && failed.length === 0 && unstable.length <= unstableMax && count('failed') === 0 ? 0 : 1);
