/** An event in the list of the log, or a mark where the connection was lost or came back. The newest is first. */
import type { LogEvent } from '../live/event.ts';
import { type Values, valuesOf } from '../plants/members.ts';

export type MarkKind = 'lost' | 'resumed' | 'gap';

export type Entry =
  | { readonly key: string; readonly event: LogEvent }
  | { readonly key: string; readonly mark: MarkKind; readonly at: string };

export const entriesMax = 2000;

export const toEntry = (event: LogEvent): Entry => ({ key: event.eventId, event });

export const markOf = (mark: MarkKind, time: Date): Entry => {
  const at = time.toISOString();
  return { key: `${mark} ${at}`, mark, at };
};

/** Adds entries in their order in the log. Each event is there once; a mark is newer than all that is there. */
export const addEntries = (entries: readonly Entry[], added: readonly Entry[]): readonly Entry[] => {
  const all = [...entries];
  const keys = new Set(all.map(({ key }) => key));
  for (const entry of added) {
    if (keys.has(entry.key)) continue;
    keys.add(entry.key);
    const index = 'event' in entry ? all.findIndex((other) => isOlder(other, entry.event)) : 0;
    all.splice(index === -1 ? all.length : index, 0, entry);
  }
  return all.slice(0, entriesMax);
};

/** A mark between the events of two connections stays between them. */
const isOlder = (other: Entry, event: LogEvent): boolean =>
  'event' in other ? other.event.sequence < event.sequence : other.at <= event.timestamp;

const hasValues = (event: LogEvent) => event.type === 'plant.created' || event.type === 'plant.updated';

/** The values that an event restores: those of the plant after it, or before a deletion, if the list has them. */
export const valuesBefore = (entries: readonly Entry[], event: LogEvent): Values | undefined => {
  if (hasValues(event)) return valuesOf(event);
  if (event.type !== 'plant.deleted') return undefined;
  const isBefore = (entry: Entry): boolean =>
    'event' in entry && hasValues(entry.event) && entry.event.id === event.id && entry.event.sequence < event.sequence;
  const before = entries.find(isBefore);
  return before && 'event' in before && hasValues(before.event) ? valuesOf(before.event) : undefined;
};
