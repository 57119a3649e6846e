import type { Page } from '../base/page.ts';
import type { PlantEventType } from '../events/event.ts';
import type { NewEvents } from '../events/store.ts';
import type { Delivery, DeliveryChange, DeliveryState } from './delivery.ts';
import type { DeliveryPlace } from './place.ts';

/**
 * A new event is not copied for each webhook: it is read from the log, after the webhook's position. A delivery is stored after
 * the first attempt.
 */
export interface DeliveryStore {
  /** Lists the deliveries of a webhook, newest event first. Rejects with `invalid_cursor`, and with `not_found`. */
  list(webhookId: string, page: Page<string>): Promise<Delivery[]>;
  /** Lists the deliveries in this state to all webhooks, newest event first. The cost does not grow with their number. */
  listByState(state: DeliveryState, page: Page<DeliveryPlace>): Promise<Delivery[]>;
  /** Counts the deliveries in this state to all webhooks, to `limit` at most. */
  countByState(state: DeliveryState, limit: number): Promise<number>;
  /**
   * Creates a `webhook.test` for this webhook only, due immediately, and enables the webhook. Rejects with `not_found`, and with
   * `too_many_tests` if `testMessagesPendingMax` of this webhook are pending.
   */
  createTestMessage(webhookId: string): Promise<Delivery>;
  /** Makes a delivery due immediately, in a new round, and enables its webhook. Rejects as `createTestMessage` does. */
  redeliver(webhookId: string, eventId: string): Promise<Delivery>;
  /**
   * Reads the log after this sequence, at most `limit` events of these types (default: all), without those for which the webhook
   * has a delivery.
   */
  readUntried(webhookId: string, after: bigint, limit: number, types?: readonly PlantEventType[]): Promise<NewEvents>;
  /** The deliveries that are due at `now`: requested ones first. Those scheduled past `latest` count as due too. */
  readDue(webhookId: string, due: DueRange): Promise<Delivery[]>;
  /** The earliest time at which a delivery that is not requested is scheduled. */
  readNextDue(webhookId: string): Promise<string | undefined>;
  /**
   * Records attempts in one transaction: the deliveries, the health of their webhooks, and the position of each webhook in the
   * log. A redelivery that was requested during an attempt stays requested. It skips a webhook that was deleted, or whose
   * lease has another epoch than the given one: another process sends to it now.
   */
  record(changes: readonly DeliveryChange[], positions: ReadonlyMap<string, bigint>, epochs: Epochs): Promise<void>;
}

/** The epochs of leases, by the ids of webhooks. */
export type Epochs = Pick<ReadonlyMap<string, bigint>, 'get'>;

/** Times are RFC 3339, UTC. */
export interface DueRange {
  readonly now: string;
  readonly latest: string;
  readonly limit: number;
}
