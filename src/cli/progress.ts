import { setImmediate } from 'node:timers/promises';
import { Presets, SingleBar } from 'cli-progress';
import { printMessage, terminalStderr } from './output.ts';

interface ProgressOptions<Batch> {
  readonly title: string;
  /** In the unit of `position`. Absent when it is unknown, as for a pipe. */
  readonly total: number | undefined;
  readonly signal: AbortSignal;
  readonly countRows: (batch: Batch) => number;
  /** How much is done. Default: the number of rows. */
  readonly position?: () => number;
}

/** Yields the same batches, and shows on stderr how many of their rows are done. Throws the reason of `signal` when it is aborted. */
export async function* withProgress<Batch>(
  batches: Iterable<Batch> | AsyncIterable<Batch>,
  { title, total, signal, countRows, position }: ProgressOptions<Batch>,
): AsyncGenerator<Batch> {
  const display = createDisplay(title, total);
  let rows = 0;
  // Signals are delivered between turns of the event loop, and reading and writing may take none.
  const takeTurn = async (): Promise<void> => {
    await setImmediate();
    signal.throwIfAborted();
  };
  try {
    for await (const batch of batches) {
      await takeTurn();
      yield batch;
      rows += countRows(batch);
      display.update(position?.() ?? rows, rows);
    }
    await takeTurn();
  } finally {
    display.stop();
  }
}

const lineEveryMs = 5000;

/** A bar on a terminal, a line every few seconds elsewhere. */
const createDisplay = (title: string, total: number | undefined) => {
  const startedAtMs = performance.now();
  let lineAtMs = startedAtMs + lineEveryMs;
  const format =
    total === undefined
      ? `${title} {rows} rows, {rate} rows/s`
      : `${title} {bar} {percentage}% | {rows} rows | {rate} rows/s | {left} left`;
  const stream = terminalStderr();
  const bar =
    stream && new SingleBar({ format, stream, hideCursor: true, clearOnComplete: true, barsize: 24 }, Presets.rect);

  const paceAt = (done: number, rows: number) => {
    const seconds = Math.max((performance.now() - startedAtMs) / 1000, 0.001);
    const secondsLeft = total === undefined || done === 0 ? 0 : Math.max(0, (total - done) * (seconds / done));
    return { rows, rate: Math.round(rows / seconds), left: `${Math.ceil(secondsLeft)} s` };
  };

  bar?.start(total ?? 0, 0, paceAt(0, 0));
  return {
    update: (done: number, rows: number): void => {
      const pace = paceAt(done, rows);
      bar?.update(total === undefined ? 0 : done, pace);
      if (bar || performance.now() < lineAtMs) return;
      lineAtMs = performance.now() + lineEveryMs;
      printMessage(`${title}: ${rows} rows, ${pace.rate} rows/s${total === undefined ? '' : `, ${pace.left} left`}`);
    },
    stop: (): void => bar?.stop(),
  };
};
