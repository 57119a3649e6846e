import type { JsonPage } from '../base/page.ts';
import type { ImportedPlant } from './import.ts';
import type { PlantPlace } from './order.ts';
import type { FoundPlants, PlantPage } from './paging.ts';
import type { NewPlant, PlantPatch, PlantRecord } from './plant.ts';

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
  /** The page of `list` as records. */
  find(page: PlantPage): Promise<FoundPlants>;
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

/**
 * Puts plants in order, and resolves to the outcome of each. It may be called again before it resolves. A plant with a taken id replaces
 * the existing one, or is omitted as `taken`.
 */
export type PutPlants = (plants: readonly ImportedPlant[], onTaken: 'replace' | 'leave') => Promise<PutOutcome[]>;
export type PutOutcome = 'created' | 'unchanged' | 'replaced' | 'taken';
