import { asc, getTableColumns } from 'drizzle-orm';
import { placeholdersOf } from '../storage/columns.ts';
import {
  type LeaseChange,
  type LeasePlan,
  type LeaseRequest,
  planLeases,
  type Sender,
  writesAnything,
} from '../webhooks/lease.ts';
import { toLeaseColumns, toLeasedWebhook } from '../webhooks/row.ts';
import type { LeaseStore } from '../webhooks/store.ts';
import { senders, webhooks } from './db/tables.ts';
import { toArray } from './session/array.ts';
import type { Database } from './session/database.ts';
import type { Session } from './session/session.ts';
import { builder, isAmong, prepare, valuesOf } from './session/statement.ts';
import { leases, readClock, setLeases } from './sql-statements.ts';

export const createLeaseStore = ({ read, transact, announce }: Database): LeaseStore => ({
  renew: async (request) => {
    const plan = await read((session) => planFor(session, request));
    if (!writesAnything(plan)) return plan;
    const written = await transact(async (session) => ({ result: await write(session, plan) }));
    // Other senders can take the released leases, or must give some to the new one.
    if (request.released.size > 0 || plan.joins) announce('webhook');
    const lost = plan.changes.filter(({ id }) => !written.has(id)).map(({ id }) => id);
    const held = new Map([...plan.held].filter(([id]) => !lost.includes(id)));
    return { ...plan, held, isAlone: plan.isAlone && lost.length === 0 };
  },
});

const planFor = async (session: Session, request: LeaseRequest): Promise<LeasePlan> => {
  const [existing, live] = await Promise.all([allWebhooks(session), allSenders(session)]);
  // Read last: a lease renewed after this time would look as if its clock were ahead.
  const [clock] = await readClock(session);
  if (!clock) throw new Error('The database has no clock.');
  return planLeases({ webhooks: existing.map(toLeasedWebhook), senders: live }, request, new Date(clock.ms));
};

/** Resolves to the ids of the webhooks whose leases were written: those whose leases had not changed since the plan. */
const write = async (session: Session, { changes, sender, removed }: LeasePlan): Promise<ReadonlySet<string>> => {
  const [written] = await Promise.all([
    setLeases(session, leases.toArrays(changes.map(toRow))),
    sender && putSender(session, sender),
    removeSenders(session, { ids: toArray([...removed]) }),
  ]);
  return new Set(written.map((row) => row.id));
};

const { id, number, disabledAt, leaseOwner, leaseEpoch, leaseExpiresAt } = webhooks;
const allWebhooks = prepare()(
  builder.select({ id, disabledAt, leaseOwner, leaseEpoch, leaseExpiresAt }).from(webhooks).orderBy(asc(number)),
);
const allSenders = prepare()(builder.select().from(senders));
const putSender = prepare<Sender>()(
  builder
    .insert(senders)
    .values(placeholdersOf(getTableColumns(senders)))
    .onConflictDoUpdate({ target: senders.id, set: valuesOf('excluded', { expiresAt: senders.expiresAt }) }),
);
const removeSenders = prepare<{ ids: string }>()(builder.delete(senders).where(isAmong(senders.id, 'ids')));
const toRow = ({ id, before, after }: LeaseChange) => {
  const [old, next] = [toLeaseColumns(before), toLeaseColumns(after)];
  return {
    id,
    epoch: old.leaseEpoch,
    owner: old.leaseOwner,
    expiresAt: old.leaseExpiresAt,
    newEpoch: next.leaseEpoch,
    newOwner: next.leaseOwner,
    newExpiresAt: next.leaseExpiresAt,
  };
};
