import { and, asc, eq, getTableColumns, max, sql } from 'drizzle-orm';
import { placeholdersOf } from '../storage/columns.ts';
import { toNewTokenRow, toToken } from '../tokens/row.ts';
import type { TokenStore } from '../tokens/store.ts';
import { tokens } from './db/tables.ts';
import { toArray } from './session/array.ts';
import type { Database } from './session/database.ts';
import { createLoader } from './session/loader.ts';
import { builder, isAmong, prepare } from './session/statement.ts';

/** Tokens are looked up for every request, so a revocation by any process takes effect at the next request. */
export const createTokenStore = ({ read, transact }: Database): TokenStore => ({
  create: (token) =>
    transact(async (session) => {
      // Every node of Citus has a sequence of its own.
      const [newest] = await findNewest(session);
      const number = (newest?.number ?? 0n) + 1n;
      const [row] = await insert(session, { ...toNewTokenRow(token, new Date()), number });
      if (!row) throw new Error('The new token has no row.');
      return { result: toToken(row) };
    }),
  findByDigest: createLoader(async (digests: readonly string[], endsAtMs) => {
    const rows = await read((session) => findByDigest(session, { digests: toArray(digests) }), endsAtMs);
    return new Map(rows.map((row) => [row.digest, toToken(row)]));
  }),
  list: () => read(async (session) => (await list(session)).map(toToken)),
  revoke: (id) =>
    transact(async (session) => {
      const revoked = await revoke(session, { id, now: new Date().toISOString() });
      return { result: revoked.length > 0 };
    }),
  recordUses: (ids, hour) =>
    transact(async (session) => {
      await recordUses(session, { ids: toArray(ids), hour });
      return { result: undefined };
    }),
});

const { revokedAt, lastUsedAt, ...own } = getTableColumns(tokens);

const insert = prepare<ReturnType<typeof toNewTokenRow> & { number: bigint }>()(
  builder.insert(tokens).values(placeholdersOf(own)).returning(),
);
const findNewest = prepare()(builder.select({ number: max(tokens.number) }).from(tokens));
const list = prepare()(builder.select().from(tokens).orderBy(asc(tokens.number)));
const findByDigest = prepare<{ digests: string }>()(
  builder.select().from(tokens).where(isAmong(tokens.digest, 'digests')),
);
const revoke = prepare<{ id: string; now: string }>()(
  builder
    .update(tokens)
    .set({ revokedAt: sql`coalesce(${revokedAt}, ${sql.placeholder('now')})` })
    .where(eq(tokens.id, sql.placeholder('id')))
    .returning({ id: tokens.id }),
);
const recordUses = prepare<{ ids: string; hour: string }>()(
  builder
    .update(tokens)
    .set({ lastUsedAt: sql`${sql.placeholder('hour')}` })
    .where(and(isAmong(tokens.id, 'ids'), sql`coalesce(${lastUsedAt}, '') < ${sql.placeholder('hour')}`)),
);
