import type { Page } from '../base/page.ts';
import type { PlantEvent } from '../plants/plant.ts';
import type { PlantEventType, Sequenced } from './event.ts';

export interface EventStore {
  /**
   * Lists events, oldest first, or newest first. Rejects with `cursor_expired` when events after the cursor were removed, unless the newest come
   * first, and with `invalid_cursor` when it is not the id of an event of this store.
   */
  list(page: EventPage): Promise<Sequenced<PlantEvent>[]>;
  /** Reads the log after this sequence, at most `limit` events of these types (default: all). The events of other types cost nothing. */
  read(after: bigint, limit: number, types?: readonly PlantEventType[]): Promise<LogPage>;
  /** The sequence of the newest event, or 0 before the first one. */
  head(): Promise<bigint>;
  /**
   * Removes settled test messages and the oldest events from before this time, with their deliveries. It keeps events that an enabled
   * webhook waits for, and always the newest one. Resolves to the number of removed rows: at most `limit`, so that other work does
   * not wait long.
   */
  prune(before: string, limit: number): Promise<number>;
}

interface EventPage extends Page<string> {
  readonly type?: PlantEventType | undefined;
  readonly isNewestFirst?: boolean;
}

export interface NewEvents {
  readonly events: readonly Sequenced<PlantEvent>[];
  /** There is no other event up to this sequence: that of the last one, or of the newest one in the log at the end of it. */
  readonly readTo: bigint;
  /** Whether there may be more events after it. */
  readonly hasMore: boolean;
}

export interface LogPage extends NewEvents {
  /** Where the read began, or the sequence before the oldest event in the log, if events between the two were removed. */
  readonly readFrom: bigint;
  /** The event at `readTo`, of any type. Omitted if nothing was read. */
  readonly last?: Sequenced<PlantEvent>;
}
