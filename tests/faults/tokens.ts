/**
 * One process creates and revokes tokens, thirty-two at a time, and two others are sent requests with them, under load. Both must
 * refuse a token before it exists, and accept it as soon as its creation is acknowledged. It is used continuously while it is
 * revoked, so that a cache of it would be fresh. Both must refuse it as soon as the revocation is acknowledged.
 *
 *     bun tests/faults/tokens.ts [--rounds 10000]        a round is one token
 */
import { digestToken, generateToken, scopes } from '../../src/domain/token.ts';
import type { TokenStore } from '../../src/store/store.ts';
import { openPostgres } from '../support/engines.ts';
import { sendInTurn, startLoad } from '../support/plant-load.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { startServer } from '../support/process.ts';
import { createDatabase } from './support/database.ts';
import { readOptions } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random } = readOptions(10_000);
const atOnce = 32;

const { expect, end } = createVerdict();
const counts = {
  'accepted at once': 0,
  'uses while valid': 0,
  'refused at once': 0,
  'got through': 0,
  'answered 503': 0,
};

const statusOf = async (server: string, token: string): Promise<number> => {
  const response = await fetch(`${server}/token`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (response.status !== 503) return response.status;
  counts['answered 503'] += 1;
  return statusOf(server, token);
};

/** Uses the token at every server, one request after the other. Returns a function that ends it. */
const startUses = (servers: readonly string[], token: string): (() => Promise<unknown>) => {
  let isOver = false;
  const use = async (server: string): Promise<void> => {
    while (!isOver && (await statusOf(server, token)) === 200) counts['uses while valid'] += 1;
  };
  const using = Promise.all(servers.map(use));
  return () => {
    isOver = true;
    return using;
  };
};

/** The life of one token. */
const tryToken = async (tokens: TokenStore, servers: readonly string[]): Promise<void> => {
  const text = generateToken();
  const ask = () => Promise.all(servers.map((server) => statusOf(server, text)));
  for (const status of await ask()) expect(status === 401, `a token that does not exist got status ${status}`);
  const { id } = await tokens.create({ name: 'n', scopes, digest: digestToken(text) });
  for (const status of await ask()) {
    expect(status === 200, `a token that was just created got status ${status}`);
    if (status === 200) counts['accepted at once'] += 1;
  }
  const endUses = startUses(servers, text);
  expect(await tokens.revoke(id), 'a token was not revoked');
  for (const status of await ask()) {
    expect(status === 401, `a token that was just revoked got status ${status}`);
    if (status === 401) counts['refused at once'] += 1;
    if (status === 200) counts['got through'] += 1;
  }
  await endUses();
};

const tryTokens = async () => {
  await using postgres = await startPostgres();
  const headers = await createDatabase(postgres.url);
  await using one = await startServer(postgres.url);
  await using other = await startServer(postgres.url);
  const servers = [one.url, other.url];
  await using load = startLoad(sendInTurn(servers, headers), { random, pauseMs: 5 });
  const each = rounds.each(atOnce);
  const work = async (): Promise<void> => {
    const store = await openPostgres(postgres.url);
    for (const round of each) {
      await tryToken(store.tokens, servers);
      if (round % 1000 === 0) console.error(`token ${round}: ${counts['got through']} got through`);
    }
    await store.close();
  };
  const startedAtMs = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  const tookSeconds = (performance.now() - startedAtMs) / 1000;
  await load.stop();
  for (const fault of load.faults()) expect(false, fault);
  return {
    'tokens a second': Math.round(rounds.count() / tookSeconds),
    'changes of plants meanwhile': load.acknowledged(),
  };
};

const speed = await tryTokens();
end({ tokens: rounds.count(), ...counts, ...speed });
