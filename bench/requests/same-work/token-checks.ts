/** Every request looks its token up in the database, so that a revocation by another process takes effect immediately. */
import { until } from '../../../tests/support/until.ts';
import type { IssueToken } from '../../support/tokens.ts';
import { type Client, describe, expect, expectStatus } from './client.ts';

export const checkTokens = async (client: Client, database: string, issueToken: IssueToken): Promise<void> => {
  for (const [what, token] of [
    ['no token', null],
    ['an unknown token', 'x'.repeat(43)],
  ] as const) {
    const answer = await client.get('/plants', { token });
    expectStatus(`${what} is refused`, answer, 401);
    const challenge = answer.headers.get('www-authenticate') ?? '';
    expect('WWW-Authenticate: Bearer realm="plant-store"', challenge.startsWith(realm), describe(answer));
  }
  await checkScopes(client, database, issueToken);
  await checkRevocation(client, database, issueToken);
  await checkExpiry(client, database, issueToken);
};

const realm = 'Bearer realm="plant-store"';
const read = 'plants:read';
const write = 'plants:write';
const plant = { id: 900_000_001, name: 'Monstera' };

const checkScopes = async (client: Client, database: string, issueToken: IssueToken): Promise<void> => {
  const { text: reader } = await issueToken(database, { scopes: [read] });
  const { text: writer } = await issueToken(database, { scopes: [write] });
  expectStatus('plants:read reads', await client.get('/plants', { token: reader }), 200);
  expectStatus('a token with only plants:read creates nothing', await client.create(plant, { token: reader }), 403);
  expectStatus('a token with only plants:write reads no page', await client.get('/plants', { token: writer }), 403);
  expectStatus('a token with only plants:write reads no plant', await client.get('/plants/1', { token: writer }), 403);
};

const checkRevocation = async (client: Client, database: string, issueToken: IssueToken): Promise<void> => {
  const { text: token, revoke } = await issueToken(database, { scopes: [read, write] });
  for (const _ of [1, 2, 3]) expectStatus('a new token is accepted', await client.get('/plants', { token }), 200);
  await revoke();
  expectStatus('a revoked token is refused at the next request', await client.get('/plants', { token }), 401);
  expectStatus('a revoked token creates nothing', await client.create(plant, { token }), 401);
  expectStatus('another token remains valid', await client.get('/plants'), 200);
};

const checkExpiry = async (client: Client, database: string, issueToken: IssueToken): Promise<void> => {
  const { text: token } = await issueToken(database, { scopes: [read], expiresInSeconds: 1 });
  const expiresAtMs = performance.now() + 1000;
  const isRefused = async (): Promise<boolean> => {
    const answer = await client.get('/plants', { token });
    expect('an expired token is refused (401)', performance.now() < expiresAtMs + 1000, describe(answer));
    return answer.status === 401;
  };
  await until(isRefused);
};
