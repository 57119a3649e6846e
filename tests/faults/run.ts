/**
 * Runs all trials of faults, one after the other, and prints the result of each: in full, which takes about two hours, or for a few
 * seconds each. CI runs the groups, some of them at once.
 *
 *     bun tests/faults/run.ts [--few] [--group quiet|busy|waiting|runtimes] [--program 'node source'|'node package'|…]
 *         [--trial soak] [--report FILE]
 *
 * It ends with 1 if a trial has failed, else with 3 if one has failed by pace alone (`support/verdict.ts`), else with 0. The report has a line
 * of JSON (`Reported`) for each trial, which is written when it ends.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../support/folder.ts';
import { type ProgramName, programNames } from '../support/programs/programs.ts';
import { hasFailedByPace, readTestCases } from '../support/project/junit.ts';
import { exitCodeOf, runTrial, type TrialOutcome } from './support/trial-process.ts';

/** A line of the report. */
export interface Reported {
  readonly trial: string;
  readonly program: ProgramName;
  /** The arguments of this file that run it again, alone. */
  readonly arguments: readonly string[];
  readonly outcome: TrialOutcome;
  readonly seconds: number;
  /** All of stdout and stderr. */
  readonly output: string;
}

const groups = ['quiet', 'busy', 'waiting', 'runtimes'] as const;

interface Trial {
  /** `busy` needs a processor, `waiting` mostly waits, and `quiet` runs alone: nothing can measure how busy the machine was. */
  readonly group: 'quiet' | 'busy' | 'waiting';
  /** How many rounds it has in full, and for how many seconds rounds begin with `--few`. */
  readonly rounds: number;
  readonly seconds: number;
}

const trials: Readonly<Record<string, Trial>> = {
  'kill-server': { group: 'busy', rounds: 200, seconds: 10 },
  'kill-sender': { group: 'busy', rounds: 50, seconds: 5 },
  'power-cut': { group: 'busy', rounds: 2000, seconds: 5 },
  'system-calls': { group: 'busy', rounds: 200, seconds: 20 },
  'damaged-file': { group: 'busy', rounds: 55, seconds: 15 },
  disk: { group: 'waiting', rounds: 10, seconds: 10 },
  interrupted: { group: 'busy', rounds: 600, seconds: 1 },
  history: { group: 'busy', rounds: 20, seconds: 5 },
  import: { group: 'busy', rounds: 10, seconds: 1 },
  postgres: { group: 'waiting', rounds: 150, seconds: 30 },
  log: { group: 'busy', rounds: 40, seconds: 10 },
  live: { group: 'waiting', rounds: 30, seconds: 10 },
  streams: { group: 'busy', rounds: 10, seconds: 2 },
  'stalled-readers': { group: 'waiting', rounds: 3, seconds: 10 },
  tokens: { group: 'busy', rounds: 10_000, seconds: 3 },
  traces: { group: 'busy', rounds: 6, seconds: 10 },
  'rolling-restart': { group: 'busy', rounds: 10, seconds: 5 },
  upgrade: { group: 'waiting', rounds: 52, seconds: 1 },
  leases: { group: 'waiting', rounds: 30, seconds: 10 },
  failover: { group: 'waiting', rounds: 42, seconds: 20 },
  cluster: { group: 'waiting', rounds: 30, seconds: 20 },
  partition: { group: 'waiting', rounds: 50, seconds: 20 },
  citus: { group: 'waiting', rounds: 70, seconds: 20 },
  clock: { group: 'waiting', rounds: 10, seconds: 5 },
  clients: { group: 'waiting', rounds: 5, seconds: 5 },
  'many-webhooks': { group: 'waiting', rounds: 3, seconds: 5 },
  searches: { group: 'quiet', rounds: 20, seconds: 5 },
  metrics: { group: 'quiet', rounds: 10, seconds: 5 },
  container: { group: 'waiting', rounds: 20, seconds: 10 },
  soak: { group: 'busy', rounds: 30, seconds: 60 },
};

/** The trials of the promises that a runtime could break. They run on the program of each, with as many rounds here. */
const onRuntimes: Readonly<Record<string, Omit<Trial, 'group'> & Partial<Pick<Run, 'group' | 'scene'>>>> = {
  tests: { rounds: 1, seconds: 1 },
  'kill-server': { rounds: 10, seconds: 15 },
  'kill-sender': { rounds: 10, seconds: 5 },
  'power-cut': { rounds: 300, seconds: 3 },
  postgres: { rounds: 15, seconds: 10 },
  import: { rounds: 2, seconds: 1 },
  'many-webhooks': { rounds: 1, seconds: 1 },
  'stalled-readers': { rounds: 1, seconds: 1 },
  searches: { group: 'quiet', rounds: 10, seconds: 5, scene: 'SQLite' },
  live: { rounds: 10, seconds: 5, scene: 'SQLite' },
  'rolling-restart': { rounds: 5, seconds: 5, scene: 'SQLite' },
  tokens: { rounds: 1000, seconds: 2 },
  upgrade: { rounds: 3, seconds: 1, scene: 'SQLite service' },
  interrupted: { rounds: 50, seconds: 1, scene: 'migrate' },
};

/** What the trial `tests` runs. */
const testsOfRuntimes = ['house/demo', 'sqlite/visibility', 'cli/descriptors'].map((name) =>
  join(import.meta.dir, `../${name}.test.ts`),
);

/** Ends the process with 2. */
const refuse = (message: string): never => {
  console.error(`${message}\ntests/faults/README.md has the options.`);
  process.exit(2);
};

const readOptions = () => {
  try {
    return parseArgs({
      options: {
        few: { type: 'boolean', default: false },
        group: { type: 'string' },
        program: { type: 'string' },
        trial: { type: 'string' },
        report: { type: 'string' },
      },
    }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
};

const values = readOptions();
if (values.group !== undefined && !groups.some((group) => group === values.group))
  refuse(`--group must be one of ${groups.join(', ')}.`);
if (values.program !== undefined && !programNames.some((program) => program === values.program))
  refuse(`--program must be one of ${programNames.join(', ')}.`);

interface Run extends Omit<Trial, 'group'> {
  readonly name: string;
  readonly group: (typeof groups)[number];
  readonly program: ProgramName;
  /** Omitted for all scenes. */
  readonly scene?: string;
}

const runtimes = programNames.filter((program) => program !== 'binary');
const runs: readonly Run[] = [
  ...Object.entries(trials).map(([name, trial]): Run => ({ ...trial, name, program: 'binary' })),
  ...runtimes.flatMap((program) =>
    Object.entries(onRuntimes).map(([name, trial]): Run => ({ group: 'runtimes', ...trial, name, program })),
  ),
];

/**
 * With `--few` only the packages of Node and Deno run all trials: the source is the same, and so is the Bun of the binary. Those that must run
 * alone run on the binary.
 */
const isOfFew = ({ name, program, group }: Run): boolean =>
  program === 'binary' || name === 'tests' || (group === 'runtimes' && /^(?:deno|node) package$/.test(program));

const fileOf = (name: string): string => join(import.meta.dir, `${name}.ts`);

const run = async ({ name, program, rounds, seconds, scene }: Run) => {
  const limit = [
    `--rounds=${rounds}`,
    ...(values.few ? [`--seconds=${seconds}`] : []),
    ...(scene ? [`--scene=${scene}`] : []),
  ];
  console.log(`== ${name} on the ${program}: ${limit.join(' ')}`);
  using folder = temporaryFolder();
  const tests = folder.file('tests.xml');
  const command =
    name === 'tests'
      ? ['test', '--only-failures', '--reporter=junit', `--reporter-outfile=${tests}`, ...testsOfRuntimes]
      : [fileOf(name), ...limit];
  const result = await runTrial([process.execPath, ...command], { TEST_PROGRAM: program });
  const { output } = result;
  const isLate = existsSync(tests) && hasFailedByPace(readTestCases(readFileSync(tests, 'utf8')), output);
  const outcome = result.outcome === 'failed' && isLate ? 'pace' : result.outcome;
  const again = [...(values.few ? ['--few'] : []), '--trial', name, '--program', program];
  const reported: Reported = { trial: name, program, arguments: again, outcome, seconds: result.seconds, output };
  if (values.report !== undefined) appendFileSync(values.report, `${JSON.stringify(reported)}\n`);
  return { ...result, outcome, name: `${name} on the ${program}` };
};

const isAsked = ({ name, group, program }: Run): boolean =>
  (values.group ?? group) === group && (values.program ?? program) === program && (values.trial ?? name) === name;

const asked = runs.filter((one) => isAsked(one) && (!values.few || isOfFew(one)));
if (asked.length === 0)
  refuse(`There is no such trial. There are: ${[...new Set(runs.map(({ name }) => name))].join(', ')}.`);
if (values.report !== undefined) writeFileSync(values.report, '');
const results: Awaited<ReturnType<typeof run>>[] = [];
for (const one of asked) results.push(await run(one));

const shown = { passed: 'passed', skipped: 'skipped', failed: 'FAILED', pace: 'FAILED by pace alone' } as const;
console.table(
  results.map(({ name, seconds, cpuSeconds, outcome, skipped }) => ({
    trial: name,
    seconds,
    'seconds of processors': cpuSeconds,
    outcome: skipped ?? shown[outcome],
  })),
);
process.exit(exitCodeOf(results.map(({ outcome }) => outcome)));
