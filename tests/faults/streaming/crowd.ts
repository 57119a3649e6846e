/** Many readers of the live log, in a separate process, so that their CPU time does not count for the writers. */
import { join } from 'node:path';

export interface CrowdOptions {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The event after which all of them begin. */
  readonly after: { readonly eventId: string; readonly sequence: number };
  readonly streams: number;
  /** Whether the arrival of each event on each stream is recorded. Default: false. */
  readonly notesArrivals?: boolean;
}

export interface CrowdReport {
  /** The number of events that arrived, over all streams. */
  readonly events: number;
  /** How many streams have every event up to the requested sequence. */
  readonly complete: number;
  /** How often a stream was closed, and opened again. */
  readonly reconnects: number;
  /** The CPU time of the readers, in seconds. */
  readonly processorSeconds: number;
  /** The events out of order, in sentences. */
  readonly faults: readonly string[];
  /** When each event arrived on each stream, if that is recorded: its sequence, and the time in milliseconds since 1970. */
  readonly arrivals: readonly (readonly [sequence: number, atMs: number])[];
}

/** How the last streams ended: with their last chunk after a whole frame, or in another way. */
export interface CrowdEnds {
  readonly complete: number;
  readonly other: number;
}

export type CrowdCommand =
  | { readonly command: 'open'; readonly options: CrowdOptions }
  | { readonly command: 'report'; readonly sequence: number }
  | { readonly command: 'end' };

export type CrowdAnswer =
  | { readonly answer: 'open' }
  | { readonly answer: 'report'; readonly report: CrowdReport }
  | { readonly answer: 'end'; readonly ends: CrowdEnds };

export interface Crowd extends AsyncDisposable {
  /** Waits until every stream has all events up to this sequence, or for a minute without an event. */
  report(sequence: number): Promise<CrowdReport>;
  /** Waits until the server has stopped. */
  ends(): Promise<CrowdEnds>;
}

/** Resolves once all streams are open. Use with `await using`. */
export const startCrowd = async (options: CrowdOptions): Promise<Crowd> => {
  let answered = Promise.withResolvers<CrowdAnswer>();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'crowd-process.ts')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    serialization: 'json',
    ipc: (answer: CrowdAnswer) => answered.resolve(answer),
  });
  void child.exited.then((exitCode) => answered.reject(new Error(`The readers ended with ${exitCode}.`)));
  const ask = (command: CrowdCommand): Promise<CrowdAnswer> => {
    answered = Promise.withResolvers();
    child.send(command);
    return answered.promise;
  };
  await ask({ command: 'open', options });
  return {
    report: async (sequence) => {
      const answer = await ask({ command: 'report', sequence });
      if (answer.answer !== 'report') throw new Error(`The readers responded with ${answer.answer}.`);
      return answer.report;
    },
    ends: async () => {
      const answer = await ask({ command: 'end' });
      if (answer.answer !== 'end') throw new Error(`The readers responded with ${answer.answer}.`);
      return answer.ends;
    },
    [Symbol.asyncDispose]: async () => {
      answered.promise.catch(() => {});
      child.kill('SIGKILL');
      await child.exited;
    },
  };
};
