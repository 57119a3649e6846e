/** The log lines of failures say who has sent the request: the id of its token, and the address of its client. */
import { expect, test } from 'bun:test';
import { readConfig } from '../../src/config/config.ts';
import { createLog, type Log } from '../../src/log.ts';
import type { Store } from '../../src/store/store.ts';
import { createTestApp, giveToken } from '../support/app/app.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServer } from '../support/programs/process.ts';
import { commandOf } from '../support/programs/programs.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { openTestStore } from '../support/store/engines.ts';
import { until } from '../support/until.ts';

const proxy = '10.0.0.1';
const client = '198.51.100.7';

/** An app behind a proxy, with the lines of its requests and of its failures. Each token may make two requests. */
const createLoggedApp = async (change: (store: Store) => Partial<Store> = () => ({})) => {
  const [lines, failures]: object[][] = [[], []];
  const log: Log = Object.assign(Object.create(createLog('silent')), {
    request: (line: object) => lines?.push(line),
    error: (line: object) => failures?.push(line),
  });
  const store = await openTestStore();
  const app = await createTestApp({
    store: { ...store, ...change(store) },
    config: readConfig({}, { TRUSTED_PROXIES: proxy, RATE_LIMIT: '2/1h' }),
    log,
    peerOf: () => proxy,
  });
  const get = async (path: string, authorization: string | null = `Bearer ${app.token}`): Promise<number> => {
    const headers = { 'x-forwarded-for': `192.0.2.9, ${client}` };
    return (await app.send('GET', path, { authorization, headers })).status;
  };
  const [own] = await store.tokens.list();
  return { lines, failures, get, tokenId: own?.id, store };
};

test('the line of a failed request has the id of its token and the address of its client', async () => {
  const { lines, get, tokenId, store } = await createLoggedApp();
  expect([await get('/plants/1'), await get('/plants?x'), await get('/plants')]).toEqual([404, 400, 429]);
  expect(lines).toMatchObject(Array.from({ length: 3 }, () => ({ sender: { tokenId, client } })));
  const authorization = `Bearer ${await giveToken(store, { name: 'narrow', scopes: ['metrics:read'] })}`;
  const narrow = (await store.tokens.list()).find(({ name }) => name === 'narrow');
  expect(await get('/plants', authorization)).toBe(403);
  expect(lines?.at(-1)).toMatchObject({ status: 403, sender: { tokenId: narrow?.id, client } });
});

test('the line of a failed authentication has the id of a revoked token, and none for an unknown one', async () => {
  const { lines, get, tokenId, store } = await createLoggedApp();
  await store.tokens.revoke(tokenId ?? '');
  expect([await get('/plants'), await get('/plants', 'Bearer x'), await get('/plants', null)]).toEqual([401, 401, 429]);
  const senders = [
    { tokenId, client },
    { tokenId: undefined, client },
    { tokenId: undefined, client },
  ];
  expect(lines).toMatchObject(senders.map((sender) => ({ sender })));
});

test('the line of a defect has the sender too, and that of a successful request has none', async () => {
  const { lines, failures, get, tokenId } = await createLoggedApp((store) => ({
    plants: { ...store.plants, get: () => Promise.reject(new Error('broken')) },
  }));
  expect([await get('/plants/1'), await get('/plants')]).toEqual([500, 200]);
  expect(failures).toMatchObject([{ tokenId, client }]);
  expect(lines).toMatchObject([{ sender: { tokenId, client } }, { status: 200 }]);
  expect(lines?.[1]).toHaveProperty('sender', undefined);
});

test.each(runtimeNames)('on %s, the log has the address of the peer of a refused request', async (runtime) => {
  using folder = temporaryFolder();
  await using server = await startServer(folder.file('p.sqlite'), { program: commandOf(`${runtime} package`) });
  expect((await fetch(`${server.url}/plants`)).status).toBe(401);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const lines = () => server.log.filter(({ msg }) => msg === 'request');
  await until(() => lines().length === 2);
  expect(lines()).toMatchObject([{ status: 401, client: '127.0.0.1' }, { status: 200 }]);
  expect(lines()[1]).not.toHaveProperty('client');
});
