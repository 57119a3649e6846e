/**
 * Runs all trials of faults, one after the other, and prints the result of each: in full, which takes about two hours, or for a few
 * seconds each. CI runs three groups at once.
 *
 *     bun tests/faults/run.ts [--few] [--group quiet|busy|waiting]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtProgram } from '../support/built-program.ts';

const groups = ['quiet', 'busy', 'waiting'] as const;

interface Trial {
  /** `quiet` has limits of time that a busy machine exceeds, `busy` needs a processor, and `waiting` mostly waits. */
  readonly group: (typeof groups)[number];
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
  history: { group: 'busy', rounds: 20, seconds: 5 },
  postgres: { group: 'waiting', rounds: 150, seconds: 30 },
  log: { group: 'busy', rounds: 40, seconds: 10 },
  live: { group: 'waiting', rounds: 30, seconds: 10 },
  streams: { group: 'busy', rounds: 10, seconds: 2 },
  'stalled-readers': { group: 'waiting', rounds: 3, seconds: 10 },
  tokens: { group: 'busy', rounds: 10_000, seconds: 5 },
  traces: { group: 'busy', rounds: 6, seconds: 10 },
  'rolling-restart': { group: 'busy', rounds: 10, seconds: 5 },
  leases: { group: 'quiet', rounds: 30, seconds: 10 },
  failover: { group: 'waiting', rounds: 42, seconds: 20 },
  cluster: { group: 'waiting', rounds: 30, seconds: 20 },
  partition: { group: 'waiting', rounds: 50, seconds: 20 },
  clock: { group: 'quiet', rounds: 10, seconds: 5 },
  clients: { group: 'quiet', rounds: 5, seconds: 5 },
  metrics: { group: 'quiet', rounds: 10, seconds: 5 },
  container: { group: 'waiting', rounds: 20, seconds: 10 },
  soak: { group: 'busy', rounds: 30, seconds: 60 },
};

const { values } = parseArgs({ options: { few: { type: 'boolean', default: false }, group: { type: 'string' } } });
if (values.group !== undefined && !groups.some((group) => group === values.group))
  throw new Error(`--group must be one of ${groups.join(', ')}.`);

/** The binary starts in a quarter of the time of the source. */
const env = { ...process.env, TEST_PROGRAM: builtProgram };

const run = async (name: string, { rounds, seconds }: Trial) => {
  const limit = values.few ? ['--seconds', `${seconds}`] : ['--rounds', `${rounds}`];
  console.log(`== ${name} ${limit.join(' ')}`);
  const startedAtMs = performance.now();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`), ...limit], {
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const [said, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
  console.log(said);
  const skipped = /^skipped: .*$/m.exec(said)?.[0];
  const usage = child.resourceUsage()?.cpuTime.total ?? 0n;
  return {
    trial: name,
    seconds: Math.round((performance.now() - startedAtMs) / 1000),
    'seconds of processors': Math.round(Number(usage) / 1e6),
    outcome: skipped ?? (exitCode === 0 ? 'passed' : 'FAILED'),
  };
};

const rows: Awaited<ReturnType<typeof run>>[] = [];
for (const [name, trial] of Object.entries(trials))
  if (values.group === undefined || trial.group === values.group) rows.push(await run(name, trial));
console.table(rows);
process.exit(rows.some(({ outcome }) => outcome === 'FAILED') ? 1 : 0);
