import type { PlantEvent, Sequenced } from '../../domain/event.ts';
import type { NewPlant } from '../../domain/plant.ts';

/** A row of `events`. */
export interface EventRow {
  readonly sequence: bigint;
  readonly type: string;
  readonly timestamp: string;
  readonly plantId: bigint | null;
  readonly name: string | null;
  readonly tag: string | null;
}

/** The row of a new event, but for its sequence. */
export const toEventRow = (event: PlantEvent): Omit<EventRow, 'sequence'> => {
  const { type, timestamp } = event;
  const plant = event.type === 'plant.deleted' ? { plantId: event.id, name: null, tag: null } : toPlantColumns(event);
  return { type, timestamp, ...plant };
};

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

/** A page of the log after this sequence. `rows` are those of the rows `read` that the caller wants. */
export const toNewEvents = (rows: readonly EventRow[], read: readonly EventRow[], after: bigint, limit: number) => ({
  events: rows.map(toEvent),
  readTo: read.at(-1)?.sequence ?? after,
  hasMore: read.length === limit,
});
