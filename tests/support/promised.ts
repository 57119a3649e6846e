/** The times that the pages promise, in milliseconds. The trials hold them, and a test compares the pages. */
export const promisedMs = {
  /** A server is ready after it was killed. */
  started: 2000,
  /** A request has a response, whatever happens to the database. */
  answered: 10_000,
  /** The service is ready after the database is available again. */
  back: 2000,
  /** A write succeeds after the promotion of a standby. */
  resumed: 5000,
  /** Another process sends after the death of one, or a pause. */
  takenOver: 15_000,
  /** Another process sends after the stop of one, in the median. */
  released: 1000,
} as const;
