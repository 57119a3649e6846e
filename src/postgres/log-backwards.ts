import { desc, lt, sql } from 'drizzle-orm';
import type { PlantEventType } from '../events/event.ts';
import type { EventRow } from '../events/row.ts';
import { events } from './db/tables.ts';
import type { Session } from './session/session.ts';
import { builder, prepare } from './session/statement.ts';

/** Reads events before this sequence, of this type or of any, newest first. */
export const selectEventsBefore = (
  session: Session,
  {
    before,
    limit,
    type,
  }: { readonly before: bigint; readonly limit: number; readonly type?: PlantEventType | undefined },
): Promise<EventRow[]> =>
  type === undefined ? everyBefore(session, { before, limit }) : typeBefore(session, { before, limit, type });

const limit = sql.placeholder('limit');
const before = sql.placeholder('before');
const everyBefore = prepare<{ before: bigint; limit: number }>()(
  builder.select().from(events).where(lt(events.sequence, before)).orderBy(desc(events.sequence)).limit(limit),
);
/** As a range of the index of types, as in `log.ts`. */
const typeBefore = prepare<{ before: bigint; limit: number; type: string }>()(
  builder
    .select()
    .from(events)
    .where(
      sql`(${events.type}, ${events.sequence}) < (${sql.placeholder('type')}, ${before}) AND ${events.type} >= ${sql.placeholder('type')}`,
    )
    .orderBy(desc(events.type), desc(events.sequence))
    .limit(limit),
);
