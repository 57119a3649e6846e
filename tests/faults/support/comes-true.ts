import { setTimeout } from 'node:timers/promises';

/**
 * Waits until the condition is true. Resolves to false after a minute in which `progress` has not changed: what has not come by then is
 * lost, however busy the machine is. How soon it must come is another promise.
 */
export const comesTrue = async (
  isTrue: () => boolean | Promise<boolean>,
  progress: () => unknown = () => undefined,
): Promise<boolean> => {
  let [last, changedAtMs] = [progress(), performance.now()];
  while (!(await isTrue())) {
    const now = progress();
    if (now !== last) [last, changedAtMs] = [now, performance.now()];
    if (performance.now() - changedAtMs > lostMs) return false;
    await setTimeout(20);
  }
  return true;
};

/** No wait of the service is longer. */
export const lostMs = 60_000;
