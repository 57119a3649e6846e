/**
 * The result of a trial: it collects faults during the trial, and ends with a table and an exit code. Each fault is a line of stderr that
 * begins with its kind, `data: ` or `pace: `. A trial with faults of pace alone ends with another code: it may be run again, alone.
 */
import { type Control, startControl } from './control.ts';

export interface Verdict {
  /** A promise about data, or any other that a slow machine keeps too: nothing is lost, wrong or missing, and nothing waits forever. */
  readonly expect: (isMet: boolean, fault: string) => void;
  /** A promise that a slow machine may break, and that is no time: the size of the memory. */
  readonly expectPace: (isMet: boolean, fault: string) => void;
  /** A promise of less than this time. Time in which the machine was busy with other work counts less: `control.ts`. */
  readonly expectWithin: (msMax: number, what: string, time: Time) => void;
  /** The time in milliseconds, where that in which the machine was busy with other work counts less. */
  readonly count: (time: Time) => number;
  /** Prints the table, and each kind of fault once, and ends the process with one of `exitCodes`. */
  readonly end: (tried?: Readonly<Record<string, string | number>>) => never;
}

/** A period by `performance.now()`, by default until now. */
export interface Time {
  readonly fromMs: number;
  readonly toMs?: number;
  /** What is judged, if it is not the whole period, such as a median within it. */
  readonly ms?: number;
}

export const exitCodes = { passed: 0, failed: 1, pace: 3 } as const;

export const createVerdict = (control: Control = startControl()): Verdict => {
  const faults: string[] = [];
  /** They are judged at the end, when it is known how busy the machine was. */
  const late: { readonly msMax: number; readonly what: string; readonly time: Required<Time> }[] = [];
  const add = (kind: 'data' | 'pace', fault: string): void => void faults.push(`${kind}: ${fault}`);

  const count = ({ fromMs, toMs = performance.now(), ms = toMs - fromMs }: Time): number =>
    ms * control.share(fromMs, toMs);

  const judgeLate = (): void => {
    for (const [what, times] of Map.groupBy(late, (one) => one.what)) {
      const counted = times.map(({ msMax, time }) => ({ msMax, ms: Math.round(time.ms), countedMs: count(time) }));
      // Of many requests that were late, the latest is enough.
      const [{ msMax, ms, countedMs } = { msMax: 0, ms: 0, countedMs: 0 }] = counted.sort(
        (one, other) => other.countedMs - one.countedMs,
      );
      const text = `${what} took ${ms} ms, which count as ${Math.round(countedMs)}, and may take ${msMax}`;
      if (countedMs < msMax) console.error(`beside other work, ${text}`);
      else add('pace', text);
    }
  };

  return {
    expect: (isMet, fault) => {
      if (!isMet) add('data', fault);
    },
    expectPace: (isMet, fault) => {
      if (!isMet) add('pace', fault);
    },
    expectWithin: (msMax, what, { fromMs, toMs = performance.now(), ms = toMs - fromMs }) => {
      if (!(ms < msMax)) late.push({ msMax, what, time: { fromMs, toMs, ms } });
    },
    count,
    end: (tried = {}) => {
      judgeLate();
      const share = Math.round(100 * control.share(0, performance.now()));
      console.table([{ ...tried, 'processor, %': share, faults: faults.length }]);
      for (const fault of new Set(faults)) console.error(fault);
      if (faults.length === 0) process.exit(exitCodes.passed);
      process.exit(faults.every((fault) => fault.startsWith('pace: ')) ? exitCodes.pace : exitCodes.failed);
    },
  };
};
