/** The pages of the log that the lanes read. Lanes at the same position share one. */
import type { EventStore, NewEvents } from '../events/store.ts';
import { type ReadLog, readMax } from './lane.ts';

export interface LogPages {
  readonly read: ReadLog;
  /** Drops the page at the end of the log, which may have grown, or all pages. */
  readonly drop: (which: 'end' | 'all') => void;
}

interface Page {
  readonly found: Promise<NewEvents>;
  /** Whether it is read, and the log had more events after it. */
  isFull: boolean;
}

/** Lanes are rarely further apart. */
const pagesMax = 8;

export const createLogPages = ({ read }: Pick<EventStore, 'read'>): LogPages => {
  const pages = new Map<string, Page>();

  const begin: (...range: Parameters<ReadLog>) => Page = (after, types) => {
    const found = read(after, readMax, types);
    const page = { found, isFull: false };
    // Its reader gets the error.
    found.then(({ hasMore }) => (page.isFull = hasMore)).catch(() => {});
    return page;
  };

  return {
    read: (after, types) => {
      const key = `${after} ${types}`;
      const existing = pages.get(key);
      if (existing) return existing.found;
      const page = begin(after, types);
      const [oldest] = pages.keys();
      if (oldest !== undefined && pages.size === pagesMax) pages.delete(oldest);
      pages.set(key, page);
      return page.found;
    },
    drop: (which) => {
      for (const [key, { isFull }] of pages) if (which === 'all' || !isFull) pages.delete(key);
    },
  };
};
