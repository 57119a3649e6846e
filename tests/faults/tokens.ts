/**
 * One process creates and revokes tokens, thirty-two at a time, and two others are sent requests with them, under load, on each engine.
 * Both must refuse a token before it exists, and accept it as soon as its creation is acknowledged. It is used continuously while it
 * is revoked, so that a cache of it would be fresh. Both must refuse it as soon as the revocation is acknowledged.
 *
 *     bun tests/faults/tokens.ts [--rounds 10000] [--scene SQLite]        a round is one token
 */

import { openSqliteStore } from '../../src/engines/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import type { TokenStore } from '../../src/tokens/store.ts';
import { digestToken, generateToken, scopes } from '../../src/tokens/token.ts';
import { temporaryFolder } from '../support/folder.ts';
import { sendInTurn, startLoad } from '../support/plant-load.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { startServer } from '../support/programs/process.ts';
import { openPostgres } from '../support/store/postgres-engine.ts';
import { createDatabase } from './support/database.ts';
import { readOptions } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random, choose } = readOptions(10_000);
const atOnce = 32;

const { expect, end } = createVerdict();
const none = {
  'accepted at once': 0,
  'uses while valid': 0,
  'refused at once': 0,
  'got through': 0,
  'answered 503': 0,
};
let counts = { ...none };

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

interface Scene {
  readonly name: string;
  /** Uses a new database, of which `open` opens a store. */
  readonly withDatabase: <Result>(
    use: (database: string, open: () => Promise<Store>) => Promise<Result>,
  ) => Promise<Result>;
}

const scenes: readonly Scene[] = [
  {
    name: 'PostgreSQL',
    withDatabase: async (use) => {
      await using postgres = await startPostgres();
      return await use(postgres.url, () => openPostgres(postgres.url));
    },
  },
  {
    name: 'SQLite',
    withDatabase: async (use) => {
      using folder = temporaryFolder();
      const path = folder.file('plants.sqlite');
      return await use(path, async () => openSqliteStore(path));
    },
  },
];

const tryTokens = async (database: string, open: () => Promise<Store>) => {
  const headers = await createDatabase(database);
  await using one = await startServer(database);
  await using other = await startServer(database);
  const servers = [one.url, other.url];
  await using load = startLoad(sendInTurn(servers, headers), { random, pauseMs: 5 });
  const each = rounds.each(atOnce);
  const store = await open();
  let tokens = 0;
  const work = async (): Promise<void> => {
    for (const round of each) {
      await tryToken(store.tokens, servers);
      tokens += 1;
      if (round % 1000 === 0) console.error(`token ${round}: ${counts['got through']} got through`);
    }
  };
  const startedAtMs = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  const tookSeconds = (performance.now() - startedAtMs) / 1000;
  await Promise.all([load.stop(), store.close()]);
  for (const fault of load.faults()) expect(false, fault);
  return {
    'tokens a second': Math.round(tokens / tookSeconds),
    'changes of plants meanwhile': load.acknowledged(),
  };
};

const rows: Readonly<Record<string, string | number>>[] = [];
for (const { name, withDatabase } of choose(scenes)) {
  counts = { ...none };
  const speed = await withDatabase(tryTokens);
  expect(counts['uses while valid'] > 0, `${name}: no token was used before its revocation`);
  rows.push({ scene: name, ...counts, ...speed });
}
console.table(rows);
end({ tokens: rounds.count() });
