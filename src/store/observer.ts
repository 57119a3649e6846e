/** What an engine reports of its work. The calls are on the path of every write: they must be cheap, and must not throw. */
import type { PlantEventType } from '../domain/event.ts';

export interface StoreObserver {
  /** A batch has ended, and none of its writes is answered yet. */
  readonly onBatch?: (batch: Batch) => void;
  /** A transaction of PostgreSQL begins again after an error of this SQLSTATE: 08006 when the connection was lost without one. */
  readonly onRetry?: (sqlState: string) => void;
  /** Events were committed. They are not reported when the connection was lost before it was known which ones. */
  readonly onEvents?: (type: PlantEventType, count: number) => void;
}

/**
 * Changes to plants that share a transaction, and on SQLite the other writes that came with them. Times are by the monotonic
 * clock, in milliseconds.
 */
export interface Batch {
  /** How many there are, also of those that were refused. */
  readonly writes: number;
  /** When the oldest of the writes was queued, when the transaction began, and when its outcome was known. */
  readonly queuedAtMs: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Whether it was committed; false when that could not be learned. */
  readonly isCommitted: boolean;
  /** The trace contexts of the requests for these writes. */
  readonly traceparents: readonly string[];
}

/** What is known of a write that waits. */
export interface QueuedWrite {
  readonly queuedAtMs: number;
  readonly traceparent: string | undefined;
}

/** A batch that ends now. The first of the writes is the oldest. */
export const endBatch = (writes: readonly QueuedWrite[], startedAtMs: number, isCommitted: boolean): Batch => ({
  writes: writes.length,
  queuedAtMs: writes[0]?.queuedAtMs ?? startedAtMs,
  startedAtMs,
  endedAtMs: performance.now(),
  isCommitted,
  traceparents: writes.flatMap(({ traceparent }) => traceparent ?? []),
});
