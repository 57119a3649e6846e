/**
 * The contract of an engine. The layers above do not depend on which engine runs.
 *
 * A write that resolves is on the disk, synced. Every method rejects with AppError `unavailable` if nothing was written and a retry may
 * succeed, with `outcome_unknown` if it is unknown whether the write was stored, and with the failure `damaged` if the database is damaged.
 */
import type { DeliveryStore } from '../deliveries/store.ts';
import type { EventStore } from '../events/store.ts';
import type { PictureStore } from '../pictures/store.ts';
import type { PlantStore } from '../plants/store.ts';
import type { Topic } from '../storage/topic.ts';
import type { TokenStore } from '../tokens/store.ts';
import type { LeaseStore, WebhookStore } from '../webhooks/store.ts';

export interface Store {
  readonly plants: PlantStore;
  readonly pictures: PictureStore;
  readonly events: EventStore;
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly leases: LeaseStore;
  readonly tokens: TokenStore;
  /**
   * Calls `listener` when this process may have written something that others wait for, and soon after another process has, if
   * the engine can detect that. A call may be missing, so subscribers must poll as well. Returns a function that ends the subscription.
   */
  onNew(listener: (topic: Topic) => void): () => void;
  /**
   * Resolves to a number that has changed if another process may have written since an earlier call. It costs less than a look at the data.
   * Rejects while the database is not available.
   */
  dataVersion(): Promise<bigint>;
  /**
   * Resolves once the database is available and has the schema of this program. Rejects with OperatorError if it must not be
   * used, or if a command cannot reach it.
   */
  readonly opened: Promise<void>;
  /**
   * The highest sequence of the log that this process has read or written: at least that of each change to a plant that has resolved
   * here, and of its plant. Omitted if no other process can be behind.
   */
  readonly position?: () => bigint;
  /** The number of writes that wait for their transaction. */
  queued(): number;
  /** Whether the process has found damage of the database. After that, it may reject all writes. */
  isDamaged(): boolean;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Releases the database. No method may be called after it. */
  close(): Promise<void>;
}
