/**
 * Finds rows by their keys. The look-ups of one turn of the event loop form one query, which is sent after all their requests have
 * arrived, so that it sees every change that was acknowledged before. While queries are running, further look-ups wait together.
 * The deadline `endsAtMs` of `find` includes the wait.
 */
export const createLoader = <Key extends bigint | string, Value>(
  find: (keys: readonly Key[], endsAtMs: number) => Promise<ReadonlyMap<Key, Value>>,
): ((key: Key) => Promise<Value | undefined>) => {
  const waiting = new Map<Key, Waiting<Value>>();
  let isScheduled = false;
  let inProgress = 0;

  const schedule = (): void => {
    if (isScheduled || waiting.size === 0 || inProgress === inProgressMax) return;
    isScheduled = true;
    setImmediate(flush);
  };

  const flush = async (): Promise<void> => {
    isScheduled = false;
    const asked = [...waiting].slice(0, keysMax);
    for (const [key] of asked) waiting.delete(key);
    inProgress += 1;
    schedule();
    try {
      const found = await find(
        asked.map(([key]) => key),
        (asked[0]?.[1].sinceMs ?? 0) + lookUpMsMax,
      );
      for (const [key, { resolve }] of asked) resolve(found.get(key));
    } catch (error) {
      for (const [, { reject }] of asked) reject(error);
    }
    inProgress -= 1;
    schedule();
  };

  return (key) => {
    const entry = waiting.get(key) ?? { ...Promise.withResolvers(), sinceMs: performance.now() };
    waiting.set(key, entry);
    schedule();
    return entry.promise;
  };
};

interface Waiting<Value> extends PromiseWithResolvers<Value | undefined> {
  /** By the monotonic clock. */
  readonly sinceMs: number;
}

/**
 * The time limit of a look-up, including its wait for earlier ones, which end after `readMsMax`.
 *
 * @limit Database | Read of a plant or a token from PostgreSQL, with its wait | 503
 */
const lookUpMsMax = 3500;

export const keysMax = 1000;

/** The number of concurrent queries. */
const inProgressMax = 2;
