import { eq, sql } from 'drizzle-orm';
import { tokens } from '../../../db/sqlite.ts';
import { isScope, mintTokenId, type TokenRecord } from '../../domain/token.ts';
import type { TokenStore } from '../store.ts';
import type { Connection } from './connection.ts';

export const createTokenStore = ({ db, read, commit }: Connection): TokenStore => {
  const insert = db
    .insert(tokens)
    .values({
      id: sql.placeholder('id'),
      name: sql.placeholder('name'),
      digest: sql.placeholder('digest'),
      scopes: sql.placeholder('scopes'),
      createdAt: sql.placeholder('createdAt'),
      expiresAt: sql.placeholder('expiresAt'),
    })
    .returning()
    .prepare();
  const byDigest = db
    .select()
    .from(tokens)
    .where(eq(tokens.digest, sql.placeholder('digest')))
    .prepare();
  const all = db.select().from(tokens).orderBy(sql`rowid`).prepare();
  const setRevoked = db
    .update(tokens)
    .set({ revokedAt: sql`coalesce(${tokens.revokedAt}, ${sql.placeholder('now')})` })
    .where(eq(tokens.id, sql.placeholder('id')))
    .returning({ id: tokens.id })
    .prepare();

  return {
    create: ({ name, scopes, expiresAt, digest }) =>
      commit(() => {
        const createdAt = new Date().toISOString();
        return toRecord(
          insert.get({
            id: mintTokenId(),
            name,
            digest,
            scopes: scopes.join(' '),
            createdAt,
            expiresAt: expiresAt ?? null,
          }),
        );
      }),
    findByDigest: (digest) =>
      read(() => {
        const row = byDigest.get({ digest });
        return row && toRecord(row);
      }),
    list: () => read(() => all.all().map(toRecord)),
    revoke: (id) => commit(() => setRevoked.get({ id, now: new Date().toISOString() }) !== undefined),
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
