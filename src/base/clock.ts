/** What is scheduled is scheduled by this clock: it starts with the time of day, and from then on only runs. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
}

/** A clock that goes on evenly when the system's clock is set forward or back, so that nothing is due all at once, or never. */
export const createClock = (): Clock => {
  const startMs = Date.now() - performance.now();
  return { nowMs: () => startMs + performance.now() };
};
