/**
 * The contract of an engine. The layers above do not depend on which engine runs.
 *
 * A write that resolves is on the disk, synced. Every method rejects with AppError `unavailable` if nothing was written and a retry may
 * succeed, with `outcome_unknown` if it is unknown whether the write was stored, and with the failure `damaged` if the database is damaged.
 */

import type { JsonPage } from '../base/page.ts';
import type { Delivery, DeliveryChange, DeliveryState } from '../deliveries/delivery.ts';
import type { DeliveryPlace } from '../deliveries/place.ts';
import type { PlantEvent, PlantEventType, Sequenced } from '../events/event.ts';
import type { Filters, PlantOrder, PlantPlace } from '../plants/order.ts';
import type { ImportedPlant, NewPlant, PlantPatch, PlantRecord } from '../plants/plant.ts';
import type { NewToken, TokenRecord } from '../tokens/token.ts';
import type { LeaseRequest, Leases } from '../webhooks/lease.ts';
import type { NewWebhook, WebhookRecord } from '../webhooks/webhook.ts';

export interface Store {
  readonly plants: PlantStore;
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

/** What subscribers hear about: the log of events, or the webhooks and the requests for their deliveries. */
export type Topic = 'event' | 'webhook';

/**
 * A method that changes a plant writes its event in the same transaction, and no event when nothing changes. The event keeps the
 * `currentTrace` of the call, for the messages about it.
 */
export interface PlantStore {
  /** Creates a plant. Resolves to the existing record if the plant is the same. Rejects a different plant with its id: `id_taken`. */
  create(plant: NewPlant): Promise<PlantRecord>;
  /** Resolves to `undefined` when the plant does not exist. */
  get(id: bigint): Promise<PlantRecord | undefined>;
  /**
   * Lists plants, each in the form of `plantToJson`. The cost does not grow with the number of plants before the page or in the store:
   * with a filter that has no index, a page has those among the next `scannedInStep` plants, perhaps none, and an end.
   */
  list(page: PlantPage): Promise<JsonPage<PlantPlace>>;
  /** Counts the plants with one of these tags, or all, to `limit` at most. */
  countUpTo(limit: number, tags?: readonly string[]): Promise<number>;
  /**
   * Changes a plant. A patch that changes nothing keeps its time. Rejects with `not_found`, and with `precondition_failed` when
   * `versions` are given and do not include that of the plant. Check and change are one step.
   */
  update(id: bigint, patch: PlantPatch, versions?: readonly string[]): Promise<PlantRecord>;
  /** Rejects as `update` does. */
  delete(id: bigint, versions?: readonly string[]): Promise<void>;
  /**
   * Imports the plants that `fill` puts, in one transaction. It is committed when `fill` resolves, and rolled back when it
   * rejects. Other writes wait meanwhile, or reject with `unavailable`.
   */
  putAll<Result>(fill: (put: PutPlants) => Promise<Result>): Promise<Result>;
  /** Reads all plants by ascending id, in batches, from one snapshot. */
  scan(): AsyncIterable<readonly PlantRecord[]>;
  count(): Promise<number>;
}

/** At most `limit` rows, which come after the one with this id in the order of the list. */
export interface Page<Id> {
  readonly limit: number;
  readonly after?: Id | undefined;
}

export interface PlantPage extends Page<PlantPlace>, Filters {
  /** By ascending id if it is omitted. */
  readonly order?: PlantOrder | undefined;
  /** Only plants with exactly one of these tags, at most `tagsMax`. If there are none, plants with any tag or without one. */
  readonly tags?: readonly string[] | undefined;
  /** Only plants whose name begins with these code points. */
  readonly name?: string | undefined;
}

/**
 * Puts plants in order, and resolves to the outcome of each. It may be called again before it resolves. A plant with a taken id replaces
 * the existing one, or is omitted as `taken`.
 */
export type PutPlants = (plants: readonly ImportedPlant[], onTaken: 'replace' | 'leave') => Promise<PutOutcome[]>;
export type PutOutcome = 'created' | 'unchanged' | 'replaced' | 'taken';

export interface EventStore {
  /**
   * Lists events, oldest first. Rejects with `cursor_expired` when events after the cursor were removed, and with
   * `invalid_cursor` when it is not the id of an event of this store.
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

export interface WebhookStore {
  /** Adds a webhook for future events. Rejects with `too_many_webhooks` if there are `webhooksMax`. */
  create(webhook: NewWebhook): Promise<WebhookRecord>;
  /** Resolves to `undefined` when the webhook does not exist. */
  get(id: string): Promise<WebhookRecord | undefined>;
  /** Lists all webhooks, oldest first, disabled ones too. */
  list(): Promise<WebhookRecord[]>;
  /** Adds a new secret; the earlier ones still sign for `rotationMs`. Rejects with `not_found`. */
  rotate(id: string, secret: string): Promise<WebhookRecord>;
  /** Removes it and its pending test messages. Rejects with `not_found`. */
  delete(id: string): Promise<void>;
}

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

export interface LeaseStore {
  /**
   * Renews the leases of a sender, acquires free ones up to its share, and gives back those it releases. It must be called before
   * the leases expire. Resolves to the leases of the sender. It writes only if a lease changes, or is due for renewal.
   */
  renew(request: LeaseRequest): Promise<Leases>;
}

export interface TokenStore {
  create(token: NewToken): Promise<TokenRecord>;
  /** Finds a token by its digest, also if it is expired or revoked. Resolves to `undefined` if it was never issued. */
  findByDigest(digest: string): Promise<TokenRecord | undefined>;
  /** Lists all tokens, oldest first, revoked and expired ones too. */
  list(): Promise<TokenRecord[]>;
  /** Revokes a token; a second call changes nothing. Resolves to `false` if the token does not exist. */
  revoke(id: string): Promise<boolean>;
  /** Sets `lastUsedAt` of these tokens to the hour, unless it is later. Others are ignored. */
  recordUses(ids: readonly string[], hour: string): Promise<void>;
}
