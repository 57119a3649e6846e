import { hasFreeDescriptor } from '../base/descriptor.ts';
import type { Log } from '../log.ts';

/**
 * Logs when the process has no free descriptor. Meanwhile it cannot accept a connection, and Bun tries again in each turn of the event loop
 * without a pause, which takes a whole core. So each turn pauses. Open connections are served. Returns a function that ends the watch.
 */
export const watchDescriptors = (log: Log): (() => void) => {
  let isFree = true;
  const pause = (): void => {
    if (isFree) return;
    Bun.sleepSync(pauseMs);
    setImmediate(pause);
  };
  const timer = setInterval(() => {
    const wasFree = isFree;
    isFree = hasFreeDescriptor();
    if (isFree || !wasFree) return;
    log.warn('no free descriptors');
    pause();
  }, watchMs).unref();
  return () => {
    clearInterval(timer);
    isFree = true;
  };
};

const watchMs = 1000;
const pauseMs = 1;
