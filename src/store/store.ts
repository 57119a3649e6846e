/**
 * What the service asks of a database, in the words of the domain. Any engine that keeps these promises will do; nothing
 * above it knows which one runs.
 *
 * A write that resolves is on the disk, synced. Every method rejects with AppError `unavailable` when nothing was written
 * and trying again later may help, and with `outcome_unknown` when the engine cannot tell whether the write survived.
 */
import type { PlantEvent, PlantEventType, Sequenced } from '../domain/event.ts';
import type { ImportedPlant, NewPlant, PlantPatch, PlantRecord } from '../domain/plant.ts';
import type { NewToken, TokenRecord } from '../domain/token.ts';

export interface Store {
  readonly plants: PlantStore;
  readonly events: EventStore;
  readonly tokens: TokenStore;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /**
   * Makes a consistent copy of the database, as it is now, and verifies it before it takes the name `path`. Rejects when
   * there is a file of that name, unless it may be overwritten.
   */
  backup(path: string, options: { overwrite: boolean }): Promise<void>;
  /** Releases the database. Nothing may be called after it. */
  close(): Promise<void>;
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
  readonly after?: bigint;
  /** Only plants with exactly this tag. */
  readonly tag?: string;
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
   * Removes the oldest events, as far as they happened before this time, and never the newest. Resolves to how many it
   * removed: at most `limit`, so that no other work waits long.
   */
  prune(before: string, limit: number): Promise<number>;
}

export interface EventPage {
  /** The largest number of events to list. */
  readonly limit: number;
  /** Only events after the one with this id. */
  readonly after?: string;
  /** Only events of this type. */
  readonly type?: PlantEventType;
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
