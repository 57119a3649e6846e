import { asc } from 'drizzle-orm';
import { senders, webhooks } from '../../db/postgres.ts';
import {
  type LeaseChange,
  type LeasePlan,
  type LeaseRequest,
  planLeases,
  writesAnything,
} from '../deliveries/lease.ts';
import type { LeaseStore } from '../store/store.ts';
import { toLeaseColumns, toLeasedWebhook } from '../webhooks/row.ts';
import { toArrays } from './columns.ts';
import type { Database } from './session/database.ts';
import type { Session } from './session/session.ts';
import { toArray } from './session/sql.ts';

export const createLeaseStore = ({ read, transact, announce }: Database): LeaseStore => ({
  renew: async (request) => {
    const plan = await read((session) => planFor(session, request));
    if (!writesAnything(plan)) return plan;
    const written = await transact(async (session) => ({ result: await write(session, plan) }));
    // Other senders can take the released leases.
    if (request.released.size > 0) announce('webhook');
    const lost = plan.changes.filter(({ id }) => !written.has(id)).map(({ id }) => id);
    return { ...plan, held: new Map([...plan.held].filter(([id]) => !lost.includes(id))) };
  },
});

const planFor = async ({ db, sql }: Session, request: LeaseRequest): Promise<LeasePlan> => {
  const { id, disabledAt, leaseOwner, leaseEpoch, leaseExpiresAt } = webhooks;
  const [present, live] = await Promise.all([
    db.select({ id, disabledAt, leaseOwner, leaseEpoch, leaseExpiresAt }).from(webhooks).orderBy(asc(webhooks.number)),
    db.select().from(senders),
  ]);
  // Read last: a lease renewed after this time would look as if its clock were ahead.
  const [clock] = await sql<{ ms: number }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
  if (!clock) throw new Error('The database has no clock.');
  return planLeases({ webhooks: present.map(toLeasedWebhook), senders: live }, request, new Date(clock.ms));
};

/** Resolves to the ids of the webhooks whose leases were written: those whose leases had not changed since the plan. */
const write = async ({ sql }: Session, { changes, sender, removed }: LeasePlan): Promise<ReadonlySet<string>> => {
  const { id, epoch, owner, expiresAt, newEpoch, newOwner, newExpiresAt } = toArrays(names, changes.map(toRow));
  const [written] = await Promise.all([
    // Every transaction locks webhooks by ascending id.
    sql<{ id: string }>`
      WITH input AS (
        SELECT * FROM unnest(${id}::text[], ${epoch}::int8[], ${owner}::text[], ${expiresAt}::text[],
          ${newEpoch}::int8[], ${newOwner}::text[], ${newExpiresAt}::text[])
          AS input (id, epoch, owner, expires_at, new_epoch, new_owner, new_expires_at)
      ), unchanged AS (
        SELECT webhooks.id FROM webhooks JOIN input ON input.id = webhooks.id
        WHERE lease_epoch = epoch AND lease_owner IS NOT DISTINCT FROM owner
          AND lease_expires_at IS NOT DISTINCT FROM expires_at
        ORDER BY webhooks.id FOR UPDATE OF webhooks
      )
      UPDATE webhooks SET lease_epoch = new_epoch, lease_owner = new_owner, lease_expires_at = new_expires_at
      FROM input JOIN unchanged ON unchanged.id = input.id
      WHERE webhooks.id = input.id
      RETURNING webhooks.id`,
    sender &&
      sql`
        INSERT INTO senders (id, expires_at) VALUES (${sender.id}, ${sender.expiresAt})
        ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`,
    sql`DELETE FROM senders WHERE id = ANY(${toArray([...removed])}::text[])`,
  ]);
  return new Set(written.map((row) => row.id));
};

const names = ['id', 'epoch', 'owner', 'expiresAt', 'newEpoch', 'newOwner', 'newExpiresAt'] as const;

const toRow = ({ id, before, after }: LeaseChange) => {
  const [present, next] = [toLeaseColumns(before), toLeaseColumns(after)];
  return {
    id,
    epoch: present.leaseEpoch,
    owner: present.leaseOwner,
    expiresAt: present.leaseExpiresAt,
    newEpoch: next.leaseEpoch,
    newOwner: next.leaseOwner,
    newExpiresAt: next.leaseExpiresAt,
  };
};
