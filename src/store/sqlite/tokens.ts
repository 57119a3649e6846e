import { eq, sql } from 'drizzle-orm';
import { tokens } from '../../../db/sqlite.ts';
import type { TokenRecord } from '../../domain/token.ts';
import { toNewTokenRow, toToken } from '../rows/token.ts';
import type { TokenStore } from '../store.ts';
import type { Connection } from './connection.ts';

export const createTokenStore = ({ db, read, commit, dataVersion }: Connection): TokenStore => {
  const byDigest = db
    .select()
    .from(tokens)
    .where(eq(tokens.digest, sql.placeholder('digest')))
    .prepare();

  /** Tokens by digest, until another connection commits: it may have revoked one. */
  const found = new Map<string, TokenRecord>();
  let foundIn: bigint | undefined;

  return {
    create: (token) =>
      commit(() => toToken(db.insert(tokens).values(toNewTokenRow(token, new Date())).returning().get())),
    findByDigest: (digest) =>
      read(() => {
        if (dataVersion() !== foundIn) found.clear();
        foundIn = dataVersion();
        const known = found.get(digest);
        if (known) return known;
        const row = byDigest.get({ digest });
        const token = row && toToken(row);
        if (found.size === foundMax) found.clear();
        if (token) found.set(digest, token);
        return token;
      }),
    list: () => read(() => db.select().from(tokens).orderBy(sql`rowid`).all().map(toToken)),
    revoke: (id) =>
      commit(() => {
        found.clear();
        const revokedAt = sql`coalesce(${tokens.revokedAt}, ${new Date().toISOString()})`;
        return db.update(tokens).set({ revokedAt }).where(eq(tokens.id, id)).returning().all().length > 0;
      }),
  };
};

const foundMax = 1000;
