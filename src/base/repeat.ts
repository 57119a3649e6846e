/**
 * Repeats tasks. Those with the same interval share a timer, which does not keep the process alive. An idle process takes a tenth of a
 * millisecond or more for each time it wakes up, mostly to fill the caches of the processor, and little for another task.
 */
const timers = new Map<number, { readonly tasks: Set<() => void>; readonly timer: Timer }>();

/** The interval of the checks that must find a change within a second. */
export const checkMs = 750;

/** Calls the task at the interval. Returns a function that ends it. */
export const repeat = (task: () => void, everyMs: number): (() => void) => {
  const { tasks, timer } = timers.get(everyMs) ?? start(everyMs);
  // A task may be given twice.
  const own = (): void => task();
  tasks.add(own);
  return () => {
    if (tasks.delete(own) && tasks.size === 0) {
      clearInterval(timer);
      timers.delete(everyMs);
    }
  };
};

const start = (everyMs: number) => {
  const tasks = new Set<() => void>();
  const timer = setInterval(() => {
    for (const task of tasks) task();
  }, everyMs).unref();
  const started = { tasks, timer };
  timers.set(everyMs, started);
  return started;
};
