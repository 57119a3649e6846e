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
  readonly traceparent: string | null;
}

/** A row as an array, in the order of the columns. */
export type EventRowValues = [
  sequence: bigint,
  type: string,
  timestamp: string,
  plantId: bigint | null,
  name: string | null,
  tag: string | null,
  traceparent: string | null,
];

export const nameColumns = ([
  sequence,
  type,
  timestamp,
  plantId,
  name,
  tag,
  traceparent,
]: EventRowValues): EventRow => ({ sequence, type, timestamp, plantId, name, tag, traceparent });

/** The row of a new event, without its place and its trace. */
export const toEventRow = (event: PlantEvent) => {
  const { type, timestamp } = event;
  const plant = event.type === 'plant.deleted' ? { plantId: event.id, name: null, tag: null } : toPlantColumns(event);
  return { type, timestamp, ...plant };
};

/** The values of `toEventRow`, in the order of the columns. */
export type EventValues = [type: string, timestamp: string, plantId: bigint, name: string | null, tag: string | null];

export const toEventValues = (event: PlantEvent): EventValues => {
  const { type, timestamp, id } = event;
  return event.type === 'plant.deleted'
    ? [type, timestamp, id, null, null]
    : [type, timestamp, id, event.name, event.tag ?? null];
};

export const toPlantColumns = ({ id, name, tag }: NewPlant) => ({ plantId: id, name, tag: tag ?? null });

/** Throws for a row that this program did not write. */
export const toEvent = (row: EventRow): Sequenced<PlantEvent> => {
  const { sequence, type, timestamp, plantId: id, name, tag, traceparent } = row;
  const trace = traceparent !== null && { traceparent };
  if (id !== null) {
    if (type === 'plant.deleted') return { sequence, type, timestamp, id, ...trace };
    if ((type === 'plant.created' || type === 'plant.updated') && name !== null)
      return { sequence, type, timestamp, id, name, ...(tag !== null && { tag }), ...trace };
  }
  throw new Error(`event ${sequence} has an unknown type or content`);
};

/** A page of the log after this sequence. `rows` are the matching rows among those that were `read`. */
export const toNewEvents = (rows: readonly EventRow[], read: readonly EventRow[], after: bigint, limit: number) => ({
  events: rows.map(toEvent),
  readTo: read.at(-1)?.sequence ?? after,
  hasMore: read.length === limit,
});
