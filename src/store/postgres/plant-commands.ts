import type { PlantEvent } from '../../domain/event.ts';
import {
  applyCreate,
  applyDelete,
  applyUpdate,
  type NewPlant,
  type PlantPatch,
  type PlantRecord,
  repeatCreate,
} from '../../domain/plant.ts';

/** A change of one plant. `decide` is pure, since it is called again after a lost race. It throws the refusal. */
export interface PlantCommand {
  readonly id: bigint;
  /** The plant to create. Absent for other changes. */
  readonly creates?: NewPlant;
  /** The `traceparent` of the request, for the event. */
  readonly traceparent: string | undefined;
  readonly decide: (present: PlantRecord | undefined, now: Date) => Decision;
}

/** The plant after the change, absent when it is deleted, and the event, if any. */
interface Decision {
  readonly record?: PlantRecord;
  readonly event?: PlantEvent;
}

export const toCreate = (plant: NewPlant, traceparent: string | undefined): PlantCommand => ({
  id: plant.id,
  creates: plant,
  traceparent,
  decide: (present, now) => (present ? { record: repeatCreate(present, plant) } : applyCreate(plant, now)),
});

export const toUpdate = (
  id: bigint,
  patch: PlantPatch,
  versions: readonly string[] | undefined,
  traceparent: string | undefined,
): PlantCommand => ({
  id,
  traceparent,
  decide: (present, now) => applyUpdate(present, patch, versions, now),
});

export const toDelete = (
  id: bigint,
  versions: readonly string[] | undefined,
  traceparent: string | undefined,
): PlantCommand => ({
  id,
  traceparent,
  decide: (present, now) => ({ event: applyDelete(present, versions, now) }),
});
