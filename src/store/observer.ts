/** What an engine reports of its work. The calls are on the path of every write: they must be cheap, and must not throw. */
import type { PlantEventType } from '../domain/event.ts';

export interface StoreObserver {
  /** A transaction of changes has ended. */
  onBatch?(batch: Batch): void;
  /** A transaction begins again, after an error of this SQLSTATE. */
  onRetry?(sqlState: string): void;
  /** Events were committed. */
  onEvents?(type: PlantEventType, count: number): void;
}

/** Changes that share a transaction. Times are by the monotonic clock, in milliseconds. */
export interface Batch {
  readonly writes: number;
  /** When the oldest of the writes was queued, when the transaction began, and when its outcome was known. */
  readonly queuedAtMs: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly isCommitted: boolean;
  /** The trace contexts of the requests for these writes. */
  readonly traceparents: readonly string[];
}
