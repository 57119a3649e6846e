/** Tokens for a server, issued by another process or on another connection. */
import { Database } from 'bun:sqlite';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { runPlantStore } from './servers.ts';

export interface IssuedToken {
  readonly text: string;
  /** Revokes the token in the database. */
  revoke(): Promise<void>;
}

export interface NewToken {
  readonly scopes: readonly string[];
  /** Absent for a token that does not expire. */
  readonly expiresInSeconds?: number;
}

/** Issues a token in the SQLite database at the path. */
export type IssueToken = (database: string, token: NewToken) => Promise<IssuedToken>;

/** For a database with the tables of `peers/schema.sql`. */
export const issuePeerToken: IssueToken = async (path, { scopes, expiresInSeconds }) => {
  const { text, digest } = generatePeerToken();
  write(path, 'INSERT INTO tokens (digest, scopes) VALUES (?, ?)', digest, scopes.join(' '));
  const set = (column: string, at: Date): void =>
    write(path, `UPDATE tokens SET ${column} = ? WHERE digest = ?`, at.toISOString(), digest);
  if (expiresInSeconds !== undefined) set('expires_at', new Date(Date.now() + 1000 * expiresInSeconds));
  return {
    text,
    revoke: async () => set('revoked_at', new Date()),
  };
};

/** Issues a token with the command line of the service. */
export const issuePlantStoreToken: IssueToken = async (database, { scopes, expiresInSeconds }) => {
  const name = `bench-${randomUUID()}`;
  const expires = expiresInSeconds === undefined ? [] : ['--expires', `${expiresInSeconds}s`];
  const flags = ['--name', name, '--scope', scopes.join(','), ...expires, '--database', database];
  const text = await runPlantStore('token', 'create', ...flags);
  return {
    text: text.trim(),
    revoke: async () => {
      const list = await runPlantStore('token', 'list', '--database', database);
      const [id = ''] =
        list
          .split('\n')
          .find((line) => line.includes(name))
          ?.split('\t') ?? [];
      await runPlantStore('token', 'revoke', id, '--database', database);
    },
  };
};

/** A token, and its SHA-256 in lower-case hexadecimal, which a peer stores. */
export const generatePeerToken = (): { readonly text: string; readonly digest: string } => {
  const text = randomBytes(24).toString('base64url');
  return { text, digest: createHash('sha256').update(text).digest('hex') };
};

const write = (path: string, statement: string, ...values: string[]): void => {
  using db = new Database(path, { readwrite: true });
  db.run('PRAGMA busy_timeout = 5000');
  db.run(statement, values);
};
