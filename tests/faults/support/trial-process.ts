/** Runs one trial as a process, and tells its outcome. */
import { exitCodes } from './verdict.ts';

/** `pace`: it has broken only promises that a slow machine breaks. */
export type TrialOutcome = 'passed' | 'skipped' | 'failed' | 'pace';

export interface TrialResult {
  readonly outcome: TrialOutcome;
  /** Why it was skipped. */
  readonly skipped?: string;
  /** All that it wrote to stdout and stderr, in this order. */
  readonly output: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Shows the output meanwhile. */
export const runTrial = async (
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<TrialResult> => {
  const startedAtMs = performance.now();
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let output = '';
  const show = async (from: ReadableStream<Uint8Array>, to: NodeJS.WriteStream): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of from) {
      to.write(chunk);
      output += decoder.decode(chunk, { stream: true });
    }
  };
  const shown = Promise.all([show(child.stdout, process.stdout), show(child.stderr, process.stderr)]);
  await child.exited;
  // A process that a failed trial has left may keep them open.
  await Promise.race([shown, Bun.sleep(leftMsMax)]);
  const skipped = /^skipped: .*$/m.exec(output)?.[0];
  return {
    outcome: outcomeOf(child.exitCode, skipped !== undefined),
    ...(skipped !== undefined && { skipped }),
    output,
    seconds: Math.round((performance.now() - startedAtMs) / 1000),
    cpuSeconds: Math.round(Number(child.resourceUsage()?.cpuTime.total ?? 0n) / 1e6),
  };
};

/** The exit code of a run of several trials. */
export const exitCodeOf = (outcomes: readonly TrialOutcome[]): number => {
  if (outcomes.includes('failed')) return exitCodes.failed;
  return outcomes.includes('pace') ? exitCodes.pace : exitCodes.passed;
};

const leftMsMax = 5000;

const outcomeOf = (exitCode: number | null, isSkipped: boolean): TrialOutcome => {
  if (exitCode === exitCodes.passed) return isSkipped ? 'skipped' : 'passed';
  return exitCode === exitCodes.pace ? 'pace' : 'failed';
};
