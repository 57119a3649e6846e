import { asc, eq, sql } from 'drizzle-orm';
import { tokens } from '../../../db/sqlite.ts';
import { isScope, mintTokenId, type TokenRecord } from '../../domain/token.ts';
import type { TokenStore } from '../store.ts';
import type { Connection } from './open.ts';

export const createTokenStore = ({ db, read, commit }: Connection): TokenStore => {
  const byDigest = db
    .select()
    .from(tokens)
    .where(eq(tokens.digest, sql.placeholder('digest')))
    .prepare();

  return {
    create: ({ name, scopes, expiresAt, digest }) =>
      commit(() => {
        const row = {
          id: mintTokenId(),
          name,
          digest,
          scopes: scopes.join(' '),
          createdAt: new Date().toISOString(),
          expiresAt: expiresAt ?? null,
          revokedAt: null,
        };
        db.insert(tokens).values(row).run();
        return toRecord(row);
      }),
    findByDigest: (digest) =>
      read(() => {
        const row = byDigest.get({ digest });
        return row && toRecord(row);
      }),
    list: () => read(() => db.select().from(tokens).orderBy(asc(tokens.createdAt), asc(tokens.id)).all().map(toRecord)),
    revoke: (id) =>
      commit(() => {
        const revokedAt = sql`coalesce(${tokens.revokedAt}, ${new Date().toISOString()})`;
        return (
          db.update(tokens).set({ revokedAt }).where(eq(tokens.id, id)).returning({ id: tokens.id }).get() !== undefined
        );
      }),
  };
};

const toRecord = ({ id, name, scopes, createdAt, expiresAt, revokedAt }: typeof tokens.$inferSelect): TokenRecord => ({
  id,
  name,
  scopes: scopes.split(' ').filter(isScope),
  createdAt,
  ...(expiresAt !== null && { expiresAt }),
  ...(revokedAt !== null && { revokedAt }),
});
