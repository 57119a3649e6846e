/** Wakes one sleeper. A ring while nobody sleeps is kept, so that none is lost; many rings are one. */
export interface Bell {
  ring(): void;
  /** Resolves to true at a ring, and to false when none has come for so long. */
  wait(forMs: number): Promise<boolean>;
}

export const createBell = (): Bell => {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      isRung = true;
      wake?.();
    },
    wait: async (forMs) => {
      if (!isRung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, forMs);
        wake = resolve;
        await promise;
        wake = undefined;
        clearTimeout(timer);
      }
      const wasRung = isRung;
      isRung = false;
      return wasRung;
    },
  };
};
