/**
 * Runs all trials of faults, one after the other, and prints the result of each: in full, which takes about two hours, or for a few
 * seconds each. CI runs the groups, some of them at once.
 *
 *     bun tests/faults/run.ts [--few] [--group quiet|busy|waiting|runtimes] [--program 'node source'|'node package'|…]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ProgramName, programNames, toProgramName } from '../support/programs/programs.ts';

const groups = ['quiet', 'busy', 'waiting', 'runtimes'] as const;

interface Trial {
  /** `quiet` has limits of time that a busy machine exceeds, `busy` needs a processor, and `waiting` mostly waits. */
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
  'damaged-file': { group: 'busy', rounds: 52, seconds: 15 },
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
  leases: { group: 'quiet', rounds: 30, seconds: 10 },
  failover: { group: 'waiting', rounds: 42, seconds: 20 },
  cluster: { group: 'waiting', rounds: 30, seconds: 20 },
  partition: { group: 'waiting', rounds: 50, seconds: 20 },
  citus: { group: 'waiting', rounds: 70, seconds: 20 },
  clock: { group: 'quiet', rounds: 10, seconds: 5 },
  clients: { group: 'quiet', rounds: 5, seconds: 5 },
  'many-webhooks': { group: 'quiet', rounds: 3, seconds: 5 },
  metrics: { group: 'quiet', rounds: 10, seconds: 5 },
  container: { group: 'waiting', rounds: 20, seconds: 10 },
  soak: { group: 'busy', rounds: 30, seconds: 60 },
};

/** The trials of the promises that a runtime could break. They run on the program of each, with as many rounds here. */
const onRuntimes: Readonly<Record<string, Pick<Trial, 'rounds' | 'seconds'> & { readonly scene?: string }>> = {
  tests: { rounds: 1, seconds: 1 },
  'kill-server': { rounds: 10, seconds: 15 },
  'kill-sender': { rounds: 10, seconds: 5 },
  'power-cut': { rounds: 300, seconds: 3 },
  postgres: { rounds: 15, seconds: 10 },
  import: { rounds: 2, seconds: 1 },
  'many-webhooks': { rounds: 1, seconds: 1 },
  live: { rounds: 10, seconds: 5, scene: 'SQLite' },
  'rolling-restart': { rounds: 5, seconds: 5, scene: 'SQLite' },
  tokens: { rounds: 1000, seconds: 2 },
  upgrade: { rounds: 3, seconds: 1, scene: 'SQLite service' },
  interrupted: { rounds: 50, seconds: 1, scene: 'migrate' },
};

/** What the trial `tests` runs. */
const testsOfRuntimes = ['house/demo', 'store/sqlite/visibility', 'cli/descriptors'].map((name) =>
  join(import.meta.dir, `../${name}.test.ts`),
);

const { values } = parseArgs({
  options: { few: { type: 'boolean', default: false }, group: { type: 'string' }, program: { type: 'string' } },
});
if (values.group !== undefined && !groups.some((group) => group === values.group))
  throw new Error(`--group must be one of ${groups.join(', ')}.`);
if (values.program !== undefined) toProgramName(values.program);

interface Run extends Omit<Trial, 'group'> {
  readonly name: string;
  readonly group: (typeof groups)[number];
  readonly program: ProgramName;
  /** Absent for all scenes. */
  readonly scene?: string;
}

const runtimes = programNames.filter((program) => program !== 'binary');
const runs: readonly Run[] = [
  ...Object.entries(trials).map(([name, trial]): Run => ({ ...trial, name, program: 'binary' })),
  ...runtimes.flatMap((program) =>
    Object.entries(onRuntimes).map(([name, trial]): Run => ({ ...trial, name, program, group: 'runtimes' })),
  ),
];

/** With `--few` only the packages of Node and Deno run all trials: the source is the same, and so is the Bun of the binary. */
const isOfFew = ({ name, program }: Run): boolean =>
  program === 'binary' || name === 'tests' || /^(?:deno|node) package$/.test(program);

const run = async ({ name, program, rounds, seconds, scene }: Run) => {
  const limit = [
    `--rounds=${rounds}`,
    ...(values.few ? [`--seconds=${seconds}`] : []),
    ...(scene ? [`--scene=${scene}`] : []),
  ];
  const file = join(import.meta.dir, `${name}.ts`);
  console.log(`== ${name} on the ${program}: ${limit.join(' ')}`);
  const startedAtMs = performance.now();
  const child = Bun.spawn(
    [process.execPath, ...(name === 'tests' ? ['test', '--only-failures', ...testsOfRuntimes] : [file, ...limit])],
    {
      env: { ...process.env, TEST_PROGRAM: program },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    },
  );
  const [said, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
  console.log(said);
  const skipped = /^skipped: .*$/m.exec(said)?.[0];
  const usage = child.resourceUsage()?.cpuTime.total ?? 0n;
  return {
    trial: name,
    program,
    seconds: Math.round((performance.now() - startedAtMs) / 1000),
    'seconds of processors': Math.round(Number(usage) / 1e6),
    outcome: skipped ?? (exitCode === 0 ? 'passed' : 'FAILED'),
  };
};

const rows: Awaited<ReturnType<typeof run>>[] = [];
for (const one of runs) {
  const isAsked = (values.group ?? one.group) === one.group && (values.program ?? one.program) === one.program;
  if (isAsked && (!values.few || isOfFew(one))) rows.push(await run(one));
}
console.table(rows);
process.exit(rows.some(({ outcome }) => outcome === 'FAILED') ? 1 : 0);
