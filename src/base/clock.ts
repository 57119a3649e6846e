/** The clock of all that is scheduled. It starts with the time of day, and nobody can set it. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
}

/** A clock that runs evenly when the system's clock is set forward or back, so that nothing is due all at once, or never. */
export const createClock = (): Clock => {
  const startMs = Date.now() - performance.now();
  return { nowMs: () => startMs + performance.now() };
};
