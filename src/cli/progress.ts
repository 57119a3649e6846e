import { Presets, SingleBar } from 'cli-progress';
import { printMessage, terminalStderr } from './output.ts';

const lineEveryMs = 5000;

/**
 * Shows the progress of a long task on stderr: a bar on a terminal, a line every few seconds elsewhere. `total` is in the unit
 * of `done`, and absent when it is unknown, as for a pipe.
 */
export const createProgress = (title: string, total: number | undefined) => {
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
