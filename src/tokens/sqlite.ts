import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { tokens } from '../../db/sqlite.ts';
import { lazy } from '../base/lazy.ts';
import { drizzle, withValues } from '../sqlite/session.ts';
import type { Transactions } from '../sqlite/transactions.ts';
import { placeholdersOf } from '../storage/columns.ts';
import { toNewTokenRow, toToken } from './row.ts';
import type { TokenStore } from './store.ts';
import type { TokenRecord } from './token.ts';

export const createTokenStore = ({ client, read, transact, dataVersion }: Transactions): TokenStore => {
  const db = drizzle(client);
  const isId = eq(tokens.id, sql.placeholder('id'));
  const hour = sql.placeholder('hour');
  const byDigest = withValues<{ digest: string }>()(() =>
    db
      .select()
      .from(tokens)
      .where(eq(tokens.digest, sql.placeholder('digest')))
      .prepare(),
  );
  const inOrder = lazy(() => db.select().from(tokens).orderBy(sql`rowid`).prepare());
  const insert = withValues<typeof tokens.$inferSelect>()(() =>
    db
      .insert(tokens)
      .values(placeholdersOf(getTableColumns(tokens)))
      .prepare(),
  );
  const revoke = withValues<{ id: string; now: string }>()(() =>
    db
      .update(tokens)
      .set({ revokedAt: sql`coalesce(${tokens.revokedAt}, ${sql.placeholder('now')})` })
      .where(isId)
      .prepare(),
  );
  const recordUse = withValues<{ id: string; hour: string }>()(() =>
    db
      .update(tokens)
      .set({ lastUsedAt: sql`${hour}` })
      .where(and(isId, sql`coalesce(${tokens.lastUsedAt}, '') < ${hour}`))
      .prepare(),
  );

  /** Tokens by digest, until another connection commits: it may have revoked one. */
  const found = new Map<string, TokenRecord>();
  let foundIn: bigint | undefined;

  return {
    create: (token) =>
      transact(() => {
        const row = { ...toNewTokenRow(token, new Date()), revokedAt: null, lastUsedAt: null };
        insert().run(row);
        return toToken(row);
      }),
    findByDigest: (digest) =>
      read(() => {
        if (dataVersion() !== foundIn) found.clear();
        foundIn = dataVersion();
        const known = found.get(digest);
        if (known) return known;
        const row = byDigest().get({ digest });
        const token = row && toToken(row);
        if (found.size === foundMax) found.clear();
        if (token) found.set(digest, token);
        return token;
      }),
    list: () => read(() => inOrder().all().map(toToken)),
    revoke: (id) =>
      transact(() => {
        found.clear();
        return revoke().run({ id, now: new Date().toISOString() }).changes > 0;
      }),
    recordUses: (ids, hour) =>
      transact(() => {
        for (const id of ids) recordUse().run({ id, hour });
      }),
  };
};

const foundMax = 1000;
