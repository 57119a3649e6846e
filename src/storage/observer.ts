/** Receives reports from an engine. The calls are on the path of every write: they must be cheap, and must not throw. */

export interface StoreObserver<EventType extends string = string> {
  /** A batch has ended, before any of its writes is settled. */
  readonly onBatch?: (batch: Batch) => void;
  /** A transaction of PostgreSQL is retried after an error with this SQLSTATE: 08006 for a lost connection without a SQLSTATE. */
  readonly onRetry?: (sqlState: string) => void;
  /** Events were committed. They are not reported if the connection was lost before their number was known. */
  onEvents?(type: EventType, count: number): void;
}

/**
 * Changes to plants that share a transaction, and on SQLite the other writes that came with them. Times are by the monotonic
 * clock, in milliseconds.
 */
export interface Batch {
  /** How many there are, including refused ones. */
  readonly writes: number;
  /** When the oldest of the writes was queued, when the transaction began, and when its outcome was known. */
  readonly queuedAtMs: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Whether it was committed; false if the outcome is unknown. */
  readonly isCommitted: boolean;
  /** The trace contexts of the requests for these writes. */
  readonly traceparents: readonly string[];
}

export interface QueuedWrite {
  readonly queuedAtMs: number;
  readonly traceparent: string | undefined;
}

/** The report of a batch that ends now. The first of the writes is the oldest. */
export const describeBatch = (writes: readonly QueuedWrite[], startedAtMs: number, isCommitted: boolean): Batch => ({
  writes: writes.length,
  queuedAtMs: writes[0]?.queuedAtMs ?? startedAtMs,
  startedAtMs,
  endedAtMs: performance.now(),
  isCommitted,
  traceparents: writes.flatMap(({ traceparent }) => traceparent ?? []),
});
