/**
 * A plant as a row: of `plants`, and of `events`, each of which shows the plant as it was then. Beside the tables, this is the
 * one file of the store that names the members of a plant.
 */
import type { events } from '../../../db/sqlite.ts';
import type { PlantEvent, Sequenced } from '../../domain/event.ts';
import type { NewPlant, PlantRecord } from '../../domain/plant.ts';

/** The columns in the order of the table. */
export type PlantRow = [id: bigint, name: string, tag: string | null, createdAt: string, updatedAt: string];
export type EventRow = typeof events.$inferSelect;

/** Member by member, since a copy by spreading costs a list a tenth of its time. */
export const toRecord = ([id, name, tag, createdAt, updatedAt]: PlantRow): PlantRecord =>
  tag === null ? { id, name, createdAt, updatedAt } : { id, name, tag, createdAt, updatedAt };

export const toRow = ({ id, name, tag, createdAt, updatedAt }: PlantRecord) => ({
  id,
  name,
  tag: tag ?? null,
  createdAt,
  updatedAt,
});

/** A new event. SQLite gives it one more than the largest sequence. */
export const toEventRow = (event: PlantEvent) => {
  const { type, timestamp } = event;
  const plant = event.type === 'plant.deleted' ? { plantId: event.id, name: null, tag: null } : toPlantColumns(event);
  return { sequence: null, type, timestamp, ...plant };
};

/** What an event has of its plant. */
export const toPlantColumns = ({ id, name, tag }: NewPlant) => ({ plantId: id, name, tag: tag ?? null });

/** Throws for a row that this program has not written. */
export const toEvent = ({ sequence, type, timestamp, plantId: id, name, tag }: EventRow): Sequenced<PlantEvent> => {
  if (id !== null) {
    if (type === 'plant.deleted') return { sequence, type, timestamp, id };
    if ((type === 'plant.created' || type === 'plant.updated') && name !== null)
      return { sequence, type, timestamp, id, name, ...(tag !== null && { tag }) };
  }
  throw new Error(`event ${sequence} has a type or a content that is not known`);
};
