import { setImmediate } from 'node:timers/promises';
import type { Context } from './context.ts';

interface ProgressOptions<Batch> extends Pick<Context, 'printMessage'> {
  readonly title: string;
  /** In the unit of `position`. Undefined when it is unknown, as for a pipe. */
  readonly total: number | undefined;
  readonly signal: AbortSignal;
  readonly countRows: (batch: Batch) => number;
  /** How much is done. Default: the number of rows. */
  readonly position?: () => number;
}

/**
 * Yields the batches. Every few seconds it prints on stderr how many of their rows are done. Throws the reason of `signal` when it is
 * aborted.
 */
export async function* withProgress<Batch>(
  batches: Iterable<Batch> | AsyncIterable<Batch>,
  { title, total, signal, countRows, position, printMessage }: ProgressOptions<Batch>,
): AsyncGenerator<Batch> {
  const progressOf = createProgress(title, total);
  let rows = 0;
  // Signals are delivered between turns of the event loop, and reading and writing may take none.
  const takeTurn = async (): Promise<void> => {
    await setImmediate();
    signal.throwIfAborted();
  };
  for await (const batch of batches) {
    await takeTurn();
    yield batch;
    rows += countRows(batch);
    const line = progressOf(position?.() ?? rows, rows);
    if (line !== undefined) printMessage(line);
  }
  await takeTurn();
}

const lineEveryMs = 5000;

/** Returns a function that makes the next line, once it is time for one. */
const createProgress = (title: string, total: number | undefined) => {
  const startedAtMs = performance.now();
  let nextAtMs = startedAtMs + lineEveryMs;
  return (done: number, rows: number): string | undefined => {
    const nowMs = performance.now();
    if (nowMs < nextAtMs) return undefined;
    nextAtMs = nowMs + lineEveryMs;
    const seconds = (nowMs - startedAtMs) / 1000;
    const left =
      total === undefined || done === 0 ? '' : `, ${Math.max(0, Math.ceil(((total - done) * seconds) / done))} s left`;
    return `${title}: ${rows} rows, ${Math.round(rows / seconds)} rows/s${left}`;
  };
};
