import { and, asc, desc, eq, gt } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { events, logHead, webhookTests } from '../../../db/postgres.ts';
import { type EventPlace, expectNothingMissing, expectPlace, placeIn } from '../../domain/event.ts';
import { toTest } from '../rows/delivery.ts';
import { type EventRow, toEvent, toNewEvents } from '../rows/event.ts';
import type { EventStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { prune } from './prune.ts';

export const createEventStore = ({ read, transact }: Connection): EventStore => ({
  list: ({ limit, after: cursor, type }) =>
    read(async ({ db }) => {
      const after = cursor === undefined ? undefined : (placeIn(cursor)?.sequence ?? 0n);
      // The page is read before the beginning of the log: in the other order, events could be removed unnoticed between the two.
      const [rows, oldest, place] = await Promise.all([
        selectEvents(db, after ?? 0n, limit, type),
        readOldest(db),
        cursor === undefined ? undefined : placeOfCursor(db, cursor),
      ]);
      if (place) expectNothingMissing(place, oldest);
      return rows.map(toEvent);
    }),
  read: (after, limit) =>
    read(async ({ db }) => {
      const rows = await selectEvents(db, after, limit);
      return toNewEvents(rows, rows, after, limit);
    }),
  head: () =>
    read(async ({ db }) => {
      const [head] = await db.select({ sequence: logHead.sequence }).from(logHead);
      return head?.sequence ?? 0n;
    }),
  prune: (before, limit) => transact(async ({ db }) => ({ result: await prune(db, before, limit) })),
});

/** Reads events after this sequence, oldest first. */
export const selectEvents = (
  db: BunSQLDatabase,
  after: bigint,
  limit: number,
  type?: string | undefined,
): Promise<EventRow[]> =>
  db
    .select()
    .from(events)
    .where(and(gt(events.sequence, after), type === undefined ? undefined : eq(events.type, type)))
    .orderBy(asc(events.sequence))
    .limit(limit)
    .execute();

/** The sequence of the oldest event in the log. */
export const readOldest = async (db: BunSQLDatabase): Promise<bigint | undefined> => {
  const [oldest] = await db.select({ sequence: events.sequence }).from(events).orderBy(asc(events.sequence)).limit(1);
  return oldest?.sequence;
};

/** The place of the event or the test with this id. Throws AppError `invalid_cursor`. */
export const placeOfCursor = async (db: BunSQLDatabase, cursor: string): Promise<EventPlace> => {
  const place = placeIn(cursor);
  const found = place && (await (place.number === 0n ? lookUpEvent(db, place) : lookUpTest(db, place)));
  return expectPlace(cursor, () => found ?? { present: undefined, isGone: false });
};

const lookUpEvent = async (db: BunSQLDatabase, { sequence }: EventPlace) => {
  const [row] = await db.select().from(events).where(eq(events.sequence, sequence));
  const oldest = row ? sequence : await readOldest(db);
  return { present: row && toEvent(row), isGone: sequence < (oldest ?? 0n) };
};

/** Finds the test at this place, and whether it may have been pruned: tests are pruned by their age, not in order. */
const lookUpTest = async (db: BunSQLDatabase, { number }: EventPlace) => {
  const [row] = await db.select().from(webhookTests).where(eq(webhookTests.number, number));
  const [newest] = await db
    .select({ number: webhookTests.number })
    .from(webhookTests)
    .orderBy(desc(webhookTests.number))
    .limit(1);
  return { present: row && toTest(row), isGone: number <= (newest?.number ?? number) };
};
