/**
 * How busy the machine is with other work, by a control that runs beside the trial: a process that only counts for ten milliseconds of
 * CPU time, again and again. On a quiet machine it takes about ten milliseconds. Where it takes longer, so does the program under test.
 */
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Control {
  /** The share of its time, from 0 to 1, that the trial had a processor for, between two times of `performance.now()`. */
  readonly share: (fromMs: number, toMs: number) => number;
}

export interface RunningControl extends Control {
  /** Those so far, oldest first. */
  readonly samples: () => Sample[];
}

/** One work of the control, with the wait before it. Times are those of the trial. */
export interface Sample {
  readonly fromMs: number;
  readonly toMs: number;
  readonly cpuMs: number;
}

/** How long the control waits before each work, so that it takes a fortieth of a processor. */
export const pauseMs = 400;
export const workMs = 10;
/** The processes of a trial slow each other down: on two cores the control takes twice its time beside them alone. */
const quietSlowdown = 2;

/** Starts the control, which ends with this process. */
export const startControl = (): RunningControl => {
  const path = join(tmpdir(), `control-${process.pid}-${crypto.randomUUID()}`);
  const file = openSync(path, 'w+');
  unlinkSync(path);
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'control-process.ts')], {
    stdin: 'pipe',
    stdout: file,
    stderr: 'inherit',
  });
  child.unref();
  process.on('exit', () => closeSync(file));
  const samples = () => readSamples(file);
  return { samples, share: (fromMs, toMs) => shareOf(samples(), fromMs, toMs) };
};

/** The same from samples, oldest first. Before the first and after the last, the machine is taken to be as busy as in those. */
export const shareOf = (samples: readonly Sample[], fromMs: number, toMs: number): number => {
  let [weight, sum] = [0, 0];
  for (const [index, sample] of samples.entries()) {
    const from = index === 0 ? Number.NEGATIVE_INFINITY : sample.fromMs;
    const to = index === samples.length - 1 ? Number.POSITIVE_INFINITY : sample.toMs;
    const ms = Math.min(to, toMs) - Math.max(from, fromMs);
    if (ms <= 0) continue;
    weight += ms;
    sum += ms * Math.min(1, (quietSlowdown * sample.cpuMs) / (sample.toMs - sample.fromMs - pauseMs));
  }
  return weight === 0 ? 1 : sum / weight;
};

/** The lines that the control has written so far. */
const readSamples = (file: number): Sample[] => {
  const buffer = Buffer.alloc(fstatSync(file).size);
  readSync(file, buffer, 0, buffer.length, 0);
  const lines = buffer.toString('latin1').split('\n').slice(0, -1);
  return lines.map((line) => {
    const [from = 0, to = 0, cpuMs = 0] = line.split(' ').map(Number);
    return { fromMs: from - performance.timeOrigin, toMs: to - performance.timeOrigin, cpuMs };
  });
};
