import { Presets, SingleBar } from 'cli-progress';

/** How far a long work has come, on stderr: a bar on a terminal, and a line every few seconds elsewhere. */
export interface Progress {
  /** `done` is in the unit of the total. */
  update(done: number, rows: number): void;
  stop(): void;
}

const lineEveryMs = 5000;

/** `total` is absent where nobody knows how much there will be, as on a pipe. */
export const createProgress = (title: string, total: number | undefined): Progress =>
  process.stderr.isTTY ? createBar(title, total) : createLines(title, total);

const createBar = (title: string, total: number | undefined): Progress => {
  const format =
    total === undefined
      ? `${title} {rows} rows, {rate} a second`
      : `${title} {bar} {percentage}% | {rows} rows | {rate} a second | {left} left`;
  const bar = new SingleBar(
    { format, stream: process.stderr, hideCursor: true, clearOnComplete: true, barsize: 24 },
    Presets.rect,
  );
  const pace = createPace(total);
  bar.start(total ?? 0, 0, pace(0, 0));
  return {
    update: (done, rows) => bar.update(total === undefined ? 0 : done, pace(done, rows)),
    stop: () => bar.stop(),
  };
};

const createLines = (title: string, total: number | undefined): Progress => {
  const pace = createPace(total);
  let lineAtMs = performance.now() + lineEveryMs;
  return {
    update: (done, rows) => {
      if (performance.now() < lineAtMs) return;
      lineAtMs = performance.now() + lineEveryMs;
      const { rate, left } = pace(done, rows);
      console.error(`${title}: ${rows} rows, ${rate} a second${total === undefined ? '' : `, ${left} left`}`);
    },
    stop: () => {},
  };
};

/** Rows a second so far, and the time that is left at this pace. */
const createPace = (total: number | undefined) => {
  const startedAtMs = performance.now();
  return (done: number, rows: number) => {
    const seconds = Math.max((performance.now() - startedAtMs) / 1000, 0.001);
    const secondsLeft = total === undefined || done === 0 ? 0 : Math.max(0, (total - done) * (seconds / done));
    return { rows, rate: Math.round(rows / seconds), left: `${Math.ceil(secondsLeft)} s` };
  };
};
