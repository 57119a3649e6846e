import { asc, eq, getTableColumns, max, sql } from 'drizzle-orm';
import { tokens } from '../../db/postgres.ts';
import type { TokenStore } from '../store/store.ts';
import { toNewTokenRow, toToken } from '../tokens/row.ts';
import { partsOf } from './columns.ts';
import type { Database } from './session/database.ts';
import { createLoader } from './session/loader.ts';
import type { Session } from './session/session.ts';
import { toArray } from './session/sql.ts';

/** Tokens are looked up for every request, so a revocation by any process takes effect at the next request. */
export const createTokenStore = ({ read, transact }: Database): TokenStore => ({
  create: (token) =>
    transact(async ({ db }) => {
      // Every node of Citus has a sequence of its own.
      const [newest] = await db.select({ number: max(tokens.number) }).from(tokens);
      const number = (newest?.number ?? 0n) + 1n;
      const [row] = await db
        .insert(tokens)
        .values({ ...toNewTokenRow(token, new Date()), number })
        .returning();
      if (!row) throw new Error('The new token has no row.');
      return { result: toToken(row) };
    }),
  findByDigest: createLoader(async (digests: readonly string[], endsAtMs) => {
    const rows = await read((session) => findTokens(session, digests), endsAtMs);
    return new Map(rows.map((row) => [row.digest, toToken(row)]));
  }),
  list: () => read(async ({ db }) => (await db.select().from(tokens).orderBy(asc(tokens.number))).map(toToken)),
  revoke: (id) =>
    transact(async ({ db }) => {
      const revokedAt = sql`coalesce(${tokens.revokedAt}, ${new Date().toISOString()})`;
      const revoked = await db.update(tokens).set({ revokedAt }).where(eq(tokens.id, id)).returning({ id: tokens.id });
      return { result: revoked.length > 0 };
    }),
});

/** The same text for any number of digests, so that PostgreSQL prepares one statement. */
const findTokens = ({ sql }: Session, digests: readonly string[]): Promise<(typeof tokens.$inferSelect)[]> =>
  sql.query(findStatement, [toArray(digests)]);

const findStatement = `SELECT ${partsOf(getTableColumns(tokens)).fields} FROM tokens WHERE digest = ANY($1::text[])`;
