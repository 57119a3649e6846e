import type { Preconditions } from '../base/preconditions.ts';
import type { PictureFile } from './picture.ts';

/** The picture of each plant. A change writes the plant, the bytes and the event in one transaction. The plant has the rest: see `PlantRecord`. */
export interface PictureStore {
  /** Resolves to `undefined` when there is no plant with this id, or it has no picture. */
  get(plantId: bigint): Promise<PictureFile | undefined>;
  /**
   * Gives a plant a picture, and resolves to whether it had none. The same bytes change nothing. Rejects with `not_found` if there is no
   * plant, and with `precondition_failed`. Check and change are one step.
   */
  put(plantId: bigint, file: PictureFile, preconditions: Preconditions): Promise<boolean>;
  /** Rejects with `not_found` if there is no plant or no picture, and with `precondition_failed`. */
  delete(plantId: bigint, preconditions: Preconditions): Promise<void>;
}
