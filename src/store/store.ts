/**
 * What the service asks of a database, in the words of the domain. Any engine that keeps these promises will do; nothing
 * above it knows which one runs.
 *
 * A write that resolves is on the disk, synced. Every method rejects with AppError `unavailable` when nothing was written
 * and trying again later may help, and with `outcome_unknown` when the engine cannot tell whether the write survived.
 */
import type { NewPlant, PlantRecord } from '../domain/plant.ts';
import type { NewToken, TokenRecord } from '../domain/token.ts';

export interface Store {
  readonly plants: PlantStore;
  readonly tokens: TokenStore;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Releases the database. Nothing may be called after it. */
  close(): Promise<void>;
}

export interface PlantStore {
  /**
   * Puts a plant in the store and resolves to its record. The same plant again resolves to the record that is there, and
   * changes nothing; another plant with a taken id rejects with `id_taken`.
   */
  create(plant: NewPlant): Promise<PlantRecord>;
  /** Resolves to `undefined` when there is no such plant. */
  get(id: bigint): Promise<PlantRecord | undefined>;
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
