import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { tokens } from '../../db/sqlite.ts';
import { builder, preparerOf } from '../sqlite/statement.ts';
import type { Transactions } from '../sqlite/transactions.ts';
import { fieldsOf, placeholdersOf } from '../storage/columns.ts';
import { type TokenRow, toNewTokenRow, toToken } from './row.ts';
import type { TokenStore } from './store.ts';
import type { TokenRecord } from './token.ts';

export const createTokenStore = ({ client, read, commit, dataVersion }: Transactions): TokenStore => {
  const prepare = preparerOf(client);
  const columns = getTableColumns(tokens);
  const select = () => builder.select(fieldsOf(columns)).from(tokens);
  const byDigest = prepare<{ digest: string }, TokenRow>(() =>
    select().where(eq(tokens.digest, sql.placeholder('digest'))),
  );
  const all = prepare<void, TokenRow>(() => select().orderBy(sql`rowid`));
  const insert = prepare<TokenRow & { digest: string }>(() => builder.insert(tokens).values(placeholdersOf(columns)));
  const revoke = prepare<{ id: string; now: string }>(() =>
    builder
      .update(tokens)
      .set({ revokedAt: sql`coalesce(${tokens.revokedAt}, ${sql.placeholder('now')})` })
      .where(eq(tokens.id, sql.placeholder('id'))),
  );
  const recordUse = prepare<{ id: string; hour: string }>(() =>
    builder
      .update(tokens)
      .set({ lastUsedAt: sql`${sql.placeholder('hour')}` })
      .where(
        and(eq(tokens.id, sql.placeholder('id')), sql`coalesce(${tokens.lastUsedAt}, '') < ${sql.placeholder('hour')}`),
      ),
  );

  /** Tokens by digest, until another connection commits: it may have revoked one. */
  const found = new Map<string, TokenRecord>();
  let foundIn: bigint | undefined;

  return {
    create: (token) =>
      commit(() => {
        const row = { ...toNewTokenRow(token, new Date()), revokedAt: null, lastUsedAt: null };
        insert.run(row);
        return toToken(row);
      }),
    findByDigest: (digest) =>
      read(() => {
        if (dataVersion() !== foundIn) found.clear();
        foundIn = dataVersion();
        const known = found.get(digest);
        if (known) return known;
        const [row] = byDigest.all({ digest });
        const token = row && toToken(row);
        if (found.size === foundMax) found.clear();
        if (token) found.set(digest, token);
        return token;
      }),
    list: () => read(() => all.all().map(toToken)),
    revoke: (id) =>
      commit(() => {
        found.clear();
        return revoke.run({ id, now: new Date().toISOString() }).changes > 0;
      }),
    recordUses: (ids, hour) =>
      commit(() => {
        for (const id of ids) recordUse.run({ id, hour });
      }),
  };
};

const foundMax = 1000;
