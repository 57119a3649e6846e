/**
 * Runs all trials of faults, one after the other, and prints the result of each: in full, which takes about two hours, or a few
 * rounds each, as CI does.
 *
 *     bun tests/faults/run.ts [--few]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** The number of rounds of each in full, and with `--few`. */
const trials: readonly (readonly [name: string, full: number, few: number])[] = [
  ['kill-server', 200, 20],
  ['kill-sender', 50, 5],
  ['power-cut', 2000, 200],
  ['system-calls', 200, 1],
  ['damaged-file', 50, 50],
  ['disk', 10, 2],
  ['history', 20, 3],
  ['postgres', 150, 15],
  ['log', 40, 4],
  ['live', 30, 4],
  ['streams', 10, 2],
  ['stalled-readers', 3, 1],
  ['tokens', 10_000, 500],
  ['traces', 6, 1],
  ['rolling-restart', 10, 1],
  ['leases', 30, 3],
  ['failover', 42, 6],
  ['cluster', 30, 3],
  ['partition', 50, 5],
  ['clock', 10, 1],
  ['clients', 5, 1],
  ['metrics', 10, 1],
  ['container', 20, 4],
  ['soak', 30, 1],
];

const { values } = parseArgs({ options: { few: { type: 'boolean', default: false } } });

const run = async (name: string, rounds: number) => {
  console.log(`== ${name}, ${rounds} rounds`);
  const startedAtMs = performance.now();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`), '--rounds', `${rounds}`], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const [said, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
  console.log(said);
  const skipped = /^skipped: .*$/m.exec(said)?.[0];
  return {
    trial: name,
    rounds,
    seconds: Math.round((performance.now() - startedAtMs) / 1000),
    outcome: skipped ?? (exitCode === 0 ? 'passed' : 'FAILED'),
  };
};

const rows: Awaited<ReturnType<typeof run>>[] = [];
for (const [name, full, few] of trials) rows.push(await run(name, values.few ? few : full));
console.table(rows);
process.exit(rows.some(({ outcome }) => outcome === 'FAILED') ? 1 : 0);
