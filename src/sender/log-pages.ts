/** The pages of the log that the lanes read. Lanes at the same position share one. */
import type { PlantEventType } from '../events/event.ts';
import type { EventStore, NewEvents } from '../store/store.ts';
import { type ReadLog, readMax } from './lane.ts';

export interface LogPages {
  readonly read: ReadLog;
  /** Drops the page at the end of the log, which may have grown, or all pages. */
  readonly drop: (which: 'end' | 'all') => void;
}

/** Lanes are rarely further apart. */
const pagesMax = 8;

export const createLogPages = ({ read }: Pick<EventStore, 'read'>): LogPages => {
  const pages = new Map<string, NewEvents>();
  return {
    read: async (after: bigint, types: readonly PlantEventType[]) => {
      const key = `${after} ${types}`;
      const existing = pages.get(key);
      if (existing) return existing;
      const page = await read(after, readMax, types);
      const [oldest] = pages.keys();
      if (oldest !== undefined && pages.size === pagesMax) pages.delete(oldest);
      pages.set(key, page);
      return page;
    },
    drop: (which) => {
      for (const [key, { hasMore }] of pages) if (which === 'all' || !hasMore) pages.delete(key);
    },
  };
};
