import type { events } from '../../db/sqlite.ts';
import type { Complete, Plant, PlantEvent, PlantPictureChanged } from '../plants/plant.ts';
import { plantEventTypes, type Sequenced } from './event.ts';

export type EventRow = typeof events.$inferSelect;

/** The row of a new event, without its sequence. */
export const toEventRow = (event: PlantEvent, traceparent?: string): Omit<EventRow, 'sequence'> => {
  const { type, timestamp, id } = event;
  const { name, tag, picture }: Partial<Plant & Pick<PlantPictureChanged, 'picture'>> =
    event.type === 'plant.deleted' ? {} : event;
  return {
    type,
    timestamp,
    plantId: id,
    name: name ?? null,
    tag: tag ?? null,
    traceparent: traceparent ?? null,
    picture: picture === undefined ? null : JSON.stringify(picture),
  };
};

/** Throws for a row that this program did not write. */
export const toEvent = (row: EventRow): Sequenced<PlantEvent> => {
  const { sequence, type, timestamp, plantId: id, name, tag, traceparent, picture } = row;
  const trace = traceparent !== null && { traceparent };
  if (id !== null) {
    if (type === 'plant.deleted') return { sequence, type, timestamp, id, ...trace };
    if ((type === 'plant.picture.updated' || type === 'plant.picture.deleted') && picture !== null)
      return { sequence, type, timestamp, id, picture: JSON.parse(picture), ...trace };
    if ((type === 'plant.created' || type === 'plant.updated') && name !== null) {
      const plant: Complete<Plant> = { name, tag: tag ?? undefined };
      return { sequence, type, timestamp, id, ...plant, ...trace };
    }
  }
  throw new Error(`event ${sequence} has an unknown type or content`);
};

/** The rows of the log after a sequence: the first ones, at most `limit`. */
interface ReadRows<Row extends EventRow = EventRow> {
  readonly rows: readonly Row[];
  readonly after: bigint;
  readonly limit: number;
  /** The newest event of any type, read not after the rows. Omitted if the rows are of all types. */
  readonly newest?: EventRow | undefined;
}

/** The events of the rows that are wanted, and how far the log was read. */
export const toNewEvents = <Row extends EventRow>(
  read: ReadRows<Row>,
  isWanted: (row: Row) => boolean = () => true,
) => ({
  events: read.rows.filter(isWanted).map(toEvent),
  readTo: lastOf(read)?.sequence ?? read.after,
  hasMore: read.rows.length === read.limit,
});

/** `oldest` is the sequence of the oldest event in the log. For rows of all types, it can be that of the first row. */
export const toLogPage = (read: ReadRows, oldest: bigint | undefined) => {
  const last = lastOf(read);
  const isCut = oldest !== undefined && oldest > read.after;
  return { ...toNewEvents(read), readFrom: isCut ? oldest - 1n : read.after, ...(last && { last: toEvent(last) }) };
};

/** Beyond the last row of some types, there are only events of other types up to the newest one. */
const lastOf = ({ rows, after, limit, newest }: ReadRows): EventRow | undefined => {
  const last = rows.at(-1);
  return newest && rows.length < limit && newest.sequence > (last?.sequence ?? after) ? newest : last;
};

export const isEveryType = (types: readonly string[]): boolean => types.length === plantEventTypes.length;
