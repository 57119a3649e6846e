/**
 * Limits how many steps are taken in one turn of the event loop, so that other work runs between them. Steps that are always ready
 * would otherwise follow each other without a pause: promises that resolve in microtasks never return to the event loop, and Bun
 * reads a socket until it is empty, and answers each request on the way.
 */
export type TurnLimit = ReturnType<typeof createTurnLimit>;

export const createTurnLimit = (stepsMax: number) => {
  let left = stepsMax;
  let isScheduled = false;
  const waiting: (() => void)[] = [];

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(beginTurn);
  };

  const beginTurn = (): void => {
    isScheduled = false;
    left = stepsMax;
    for (const start of waiting.splice(0, stepsMax)) {
      left -= 1;
      start();
    }
    if (waiting.length > 0) schedule();
  };

  return {
    /** Resolves when the step may be taken: in the order of the calls. Returns `undefined` if it may be taken now. */
    step: (): Promise<void> | undefined => {
      schedule();
      if (left > 0) {
        left -= 1;
        return undefined;
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
};
