/**
 * What the service asks of a database, in the words of the domain. Any engine that keeps these promises will do; nothing
 * above it knows which one runs.
 *
 * A write that resolves is on the disk, synced. Every method rejects with AppError `unavailable` when nothing was written
 * and trying again later may help, and with `outcome_unknown` when the engine cannot tell whether the write survived.
 */
import type { Delivery } from '../domain/delivery.ts';
import type { PlantEvent, PlantEventType, Sequenced } from '../domain/event.ts';
import type { ImportedPlant, NewPlant, PlantPatch, PlantRecord } from '../domain/plant.ts';
import type { NewToken, TokenRecord } from '../domain/token.ts';
import type { NewWebhook, WebhookRecord } from '../domain/webhook.ts';

export interface Store {
  readonly plants: PlantStore;
  readonly events: EventStore;
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly tokens: TokenStore;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /**
   * Makes a consistent copy of the database, as it is now, and verifies it before it takes the name `path`. Rejects with
   * OperatorError when there is a file of that name, unless it may be overwritten, and with the reason of the signal once that is aborted.
   */
  backup(path: string, options: BackupOptions): Promise<void>;
  /** Releases the database. Nothing may be called after it. */
  close(): Promise<void>;
}

export interface BackupOptions {
  readonly overwrite: boolean;
  readonly signal?: AbortSignal;
}

/** Every method that changes a plant writes the event of it in the same transaction, and none when nothing changes. */
export interface PlantStore {
  /**
   * Puts a plant in the store and resolves to its record. The same plant again resolves to the record that is there, and
   * changes nothing; another plant with a taken id rejects with `id_taken`.
   */
  create(plant: NewPlant): Promise<PlantRecord>;
  /** Resolves to `undefined` when there is no such plant. */
  get(id: bigint): Promise<PlantRecord | undefined>;
  /** Lists plants by ascending id. What it costs does not grow with the number of plants before the page or in the store. */
  list(page: PlantPage): Promise<PlantRecord[]>;
  /**
   * Changes a plant and resolves to its record; a patch that changes nothing keeps its time. Rejects with `not_found`, and
   * with `precondition_failed` when `versions` are given and the plant's is none of them. Check and change are one step.
   */
  update(id: bigint, patch: PlantPatch, versions?: readonly string[]): Promise<PlantRecord>;
  /** Removes a plant; rejects as `update` does. */
  delete(id: bigint, versions?: readonly string[]): Promise<void>;
  /**
   * Lends `fill` a way to put in many plants, all in one transaction that is kept when `fill` resolves and leaves nothing
   * when it rejects. Other writers of the database wait meanwhile, or are told to try again.
   */
  putAll<Result>(fill: (put: PutPlants) => Promise<Result>): Promise<Result>;
  /** Reads all plants by ascending id, in batches, from one snapshot that no write changes. */
  scan(): AsyncIterable<readonly PlantRecord[]>;
  count(): Promise<number>;
}

export interface PlantPage {
  /** The largest number of plants to list. */
  readonly limit: number;
  /** Only plants with a greater id. */
  readonly after?: bigint | undefined;
  /** Only plants with exactly this tag. */
  readonly tag?: string | undefined;
}

/**
 * Puts in plants, in order, and says what became of each. A plant whose id belongs to another one replaces it, or is left
 * out as `taken`.
 */
export type PutPlants = (plants: readonly ImportedPlant[], onTaken: 'replace' | 'leave') => Promise<PutOutcome[]>;
export type PutOutcome = 'created' | 'unchanged' | 'replaced' | 'taken';

export interface EventStore {
  /**
   * Lists events in the order in which they happened. Rejects with `cursor_expired` when events after the cursor are no
   * longer kept, and with `invalid_cursor` when it is not the id of an event of this store.
   */
  list(page: EventPage): Promise<Sequenced<PlantEvent>[]>;
  /**
   * Removes the oldest events and what became of them, as far as they happened before this time and no enabled webhook
   * waits for them, and never the newest one; and settled tests from before this time. Resolves to how many it removed: at most `limit`, so that no other
   * work waits long.
   */
  prune(before: string, limit: number): Promise<number>;
}

export interface EventPage {
  /** The largest number of events to list. */
  readonly limit: number;
  /** Only events after the one with this id. */
  readonly after?: string | undefined;
  /** Only events of this type. */
  readonly type?: PlantEventType | undefined;
}

export interface WebhookStore {
  /** Adds a webhook, for the events from now on. Rejects with `too_many_webhooks` when there are `webhooksMax`. */
  create(webhook: NewWebhook): Promise<WebhookRecord>;
  /** Resolves to `undefined` when there is no such webhook. */
  get(id: string): Promise<WebhookRecord | undefined>;
  /** All webhooks, oldest first, disabled ones too. */
  list(): Promise<WebhookRecord[]>;
  /** Puts in a new secret; the ones before go on signing for `rotationMs`. Rejects with `not_found`. */
  rotate(id: string, secret: string): Promise<WebhookRecord>;
  /** Sends nothing to it any more, and shows nothing of what was sent. Rejects with `not_found`. */
  delete(id: string): Promise<void>;
}

/**
 * What was sent to the webhooks, and what is to be sent. What is new is not copied for each webhook when it happens: it is
 * read from the log of events, after the webhook's position. A delivery is kept once there was an attempt.
 */
export interface DeliveryStore {
  /**
   * Lists the deliveries of a webhook, newest event first. Rejects with `invalid_cursor`, as `EventStore.list` does, and with
   * `not_found`.
   */
  list(webhookId: string, page: DeliveryPage): Promise<Delivery[]>;
  /**
   * Makes a `webhook.test` for this webhook alone, due at once, and enables it again. Rejects with `not_found`, and with
   * `too_many_tests` when `testsPendingMax` of this webhook are pending.
   */
  test(webhookId: string): Promise<Delivery>;
  /** Makes a delivery due at once, with all tries before it, and enables its webhook again. Rejects as `test` does. */
  redeliver(webhookId: string, eventId: string): Promise<Delivery>;
  /** Reads on in the log after this sequence, at most so many events. */
  readLog(after: bigint, limit: number): Promise<NewEvents>;
  /** The same, without the events of which the webhook has a delivery. */
  readUntried(webhookId: string, after: bigint, limit: number): Promise<NewEvents>;
  /** The deliveries that are due at `now`, the longest due first; those that are put off past `latest` count as due too. */
  readDue(webhookId: string, due: DueRange): Promise<Delivery[]>;
  /**
   * Keeps what attempts have led to, all or nothing: the deliveries, the health of their webhooks, and how far each webhook
   * has come in the log. A redelivery that was asked for during an attempt stays asked for. What belongs to a webhook that
   * has been deleted is let go.
   */
  record(changes: readonly DeliveryChange[], positions: ReadonlyMap<string, bigint>): Promise<void>;
  /** Calls `listener` when this process may have written something to be sent. Returns a function that ends it. */
  onNew(listener: (what: Change) => void): () => void;
}

/** What may have changed: the log of events, or the webhooks and what is asked of them by hand. */
export type Change = 'event' | 'webhook';

export interface DeliveryPage {
  /** The largest number of deliveries to list. */
  readonly limit: number;
  /** Only deliveries of events before the one with this id. */
  readonly after?: string | undefined;
}

export interface NewEvents {
  readonly events: readonly Sequenced<PlantEvent>[];
  /** The sequence of the last event that was looked at; the place to read on from. */
  readonly readTo: bigint;
  /** Whether the log goes on after it. */
  readonly hasMore: boolean;
}

/** Times are RFC 3339, UTC. */
export interface DueRange {
  readonly now: string;
  readonly latest: string;
  readonly limit: number;
}

export interface DeliveryChange {
  /** As it was taken. */
  readonly before: Delivery;
  /** With the attempt. */
  readonly after: Delivery;
}

export interface TokenStore {
  create(token: NewToken): Promise<TokenRecord>;
  /** Finds a token by its digest, whether it is in force or not. Resolves to `undefined` when it was never given out. */
  findByDigest(digest: string): Promise<TokenRecord | undefined>;
  /** All tokens, oldest first, revoked and expired ones too. */
  list(): Promise<TokenRecord[]>;
  /** Revokes from now on; a second time changes nothing. Resolves to `false` when there is no such token. */
  revoke(id: string): Promise<boolean>;
}
