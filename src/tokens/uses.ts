/**
 * Records when each token was last used, to the hour. A request only adds the id of its token to a set. Every minute the process writes the
 * tokens of the set that it has not yet written in this hour: so a token costs one write an hour, however many requests there are.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, logFailure } from '../log.ts';
import type { TokenStore } from './store.ts';

interface UsesOptions {
  readonly tokens: Pick<TokenStore, 'recordUses'>;
  readonly log: Log;
  readonly everyMs?: number;
  readonly now?: () => Date;
}

/** @limit Tokens | Tokens whose use a process records in a minute | the use of further ones is not recorded in this minute */
export const usedMax = 10_000;

export const createUses = ({ tokens, log, everyMs = 60_000, now = () => new Date() }: UsesOptions) => {
  const stopped = new AbortController();
  let used = new Set<string>();
  let sinceHour = hourOf(now());
  let recorded = new Set<string>();
  let recordedHour = sinceHour;

  const record = async (): Promise<void> => {
    const [ids, hour] = [used, sinceHour];
    used = new Set();
    sinceHour = hourOf(now());
    if (hour !== recordedHour) recorded = new Set();
    recordedHour = hour;
    const due = [...ids].filter((id) => !recorded.has(id));
    if (due.length === 0) return;
    try {
      await tokens.recordUses(due, hour);
      for (const id of due) recorded.add(id);
    } catch (error) {
      logFailure(log, error);
      for (const id of due) add(id);
    }
  };

  const add = (id: string): void => {
    if (used.size < usedMax) used.add(id);
  };

  return {
    add,
    /** Records until the returned function is called, which records the last uses. */
    start: (): (() => Promise<void>) => {
      const run = async (): Promise<void> => {
        while (!stopped.signal.aborted) {
          await sleep(everyMs, undefined, { signal: stopped.signal, ref: false }).catch(() => {});
          await record();
        }
      };
      const running = run();
      return async () => {
        stopped.abort();
        await running;
      };
    },
  };
};

/** The beginning of the hour. */
const hourOf = (time: Date): string => `${time.toISOString().slice(0, 13)}:00:00.000Z`;
