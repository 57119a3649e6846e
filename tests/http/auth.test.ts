import { beforeAll, describe, expect, test } from 'bun:test';
import { generateToken } from '../../src/tokens/token.ts';
import { createTestApp, errorOf, giveToken, jsonOf, type TestApp, untouchable } from '../support/app/app.ts';
import { onBothEngines, openTestStore } from '../support/store/engines.ts';

let app: TestApp;
onBothEngines(() => {
  beforeAll(async () => {
    app = await createTestApp();
  });

  const realm = 'Bearer realm="plant-store"';
  const invalid = `${realm}, error="invalid_token"`;

  describe('the Authorization header', () => {
    test.each<[string, (token: string) => string | null, number, string | null]>([
      ['a token', (token) => `Bearer ${token}`, 404, null],
      ['the scheme in lower case', (token) => `bearer ${token}`, 404, null],
      ['the scheme in upper case', (token) => `BEARER ${token}`, 404, null],
      ['no Authorization field', () => null, 40100, realm],
      ['an empty Authorization field', () => '', 40100, realm],
      ['two spaces', (token) => `Bearer  ${token}`, 404, null],
      ['many spaces', (token) => `bearer${' '.repeat(1000)}${token}`, 404, null],
      ['only the scheme', () => 'Bearer', 40101, invalid],
      ['no space after the scheme', (token) => `Bearer${token}`, 40101, invalid],
      ['a longer scheme', (token) => `BearerX ${token}`, 40101, invalid],
      ['a tab', (token) => `Bearer\t${token}`, 40101, invalid],
      ['a space and a tab', (token) => `Bearer \t${token}`, 40101, invalid],
      ['a space that is not ASCII', (token) => `Bearer\u00a0${token}`, 40101, invalid],
      ['a comma after the scheme', (token) => `Bearer, ${token}`, 40101, invalid],
      ['no scheme', (token) => token, 40101, invalid],
      ['another scheme', (token) => `Basic ${token}`, 40101, invalid],
      ['two tokens in one Authorization field', (token) => `Bearer ${token}, Bearer ${token}`, 40101, invalid],
      ['text after the token', (token) => `Bearer ${token} x`, 40101, invalid],
      ['a mistyped token', (token) => `Bearer ${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`, 40101, invalid],
      ['a token in another case', (token) => `Bearer ${token.toLowerCase()}`, 40101, invalid],
      ['a well-formed token that does not exist', () => `Bearer ${generateToken()}`, 40101, invalid],
    ])('a request with %s gets the documented response', async (_what, authorization, outcome, challenge) => {
      const response = await app.send('GET', '/plants/1', { authorization: authorization(app.token) });
      expect(response.headers.get('www-authenticate')).toBe(challenge);
      if (outcome === 404) expect(response.status).toBe(404);
      else expect(await errorOf(response)).toBe(outcome);
    });

    test.each<[string, (token: string) => string]>([
      ['no scheme', (token) => token],
      ['only the scheme', () => 'Bearer'],
      ['another scheme', (token) => `Basic ${token}`],
      ['no space after the scheme', (token) => `Bearer${token}`],
      ['a tab', (token) => `Bearer\t${token}`],
      ['two tokens in one Authorization field', (token) => `Bearer ${token}, Bearer ${token}`],
    ])('the response to %s names the form of the header, and is the same for every token', async (_what, header) => {
      for (const token of [app.token, generateToken(), 'x']) {
        const response = await app.send('GET', '/plants/1', { authorization: header(token) });
        expect([response.headers.get('www-authenticate'), await jsonOf(response)]).toEqual([
          invalid,
          { error: 40101, message: 'The Authorization header must be Bearer and a token, separated by spaces.' },
        ]);
      }
    });

    test('a token is accepted only in the Authorization header', async () => {
      for (const path of [
        `/plants/1?access_token=${app.token}`,
        `/plants/1?=${app.token}`,
        `/plants/1?bearer=${app.token}`,
      ]) {
        expect(await errorOf(await app.send('GET', path, { authorization: null }))).toBe(40100);
        expect(await errorOf(await app.send('GET', path, { authorization: 'Bearer' }))).toBe(40101);
      }
      const cookie = { cookie: `access_token=${app.token}`, 'content-type': 'application/json' };
      const body = `{"access_token":"${app.token}","id":1,"name":"n"}`;
      expect(await errorOf(await app.send('POST', '/plants', { authorization: null, headers: cookie, body }))).toBe(
        40100,
      );
    });

    test('the response is the same for every invalid token', async () => {
      const revoked = await giveToken(app.store, { name: 'revoked' });
      for (const { id, name } of await app.store.tokens.list())
        if (name === 'revoked') await app.store.tokens.revoke(id);
      const expired = await giveToken(app.store, { expiresAt: new Date(Date.now() - 1).toISOString() });
      const texts = await Promise.all(
        [revoked, expired, generateToken(), 'plant_x', 'x', 'eyJh.eyJz-_.c2ln', 'YTpi/+=='].map(async (token) => {
          const response = await app.send('GET', '/plants/1', { authorization: `Bearer ${token}` });
          expect(response.status).toBe(401);
          return `${response.headers.get('www-authenticate')} ${await response.text()}`;
        }),
      );
      expect([...new Set(texts)]).toEqual([`${invalid} {"error":40101,"message":"The bearer token is invalid."}`]);
    });
  });

  test('a mistyped token is refused without a look-up in the store', async () => {
    const store = await openTestStore();
    const digests: string[] = [];
    const { send, token } = await createTestApp({
      store: {
        ...store,
        tokens: {
          ...store.tokens,
          findByDigest: (digest) => {
            digests.push(digest);
            return store.tokens.findByDigest(digest);
          },
        },
      },
    });
    await send('GET', '/plants/1', { authorization: `Bearer ${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}` });
    expect(digests).toEqual([]);
    await send('GET', '/plants/1');
    expect(digests).toHaveLength(1);
  });

  test('a token is accepted until it expires', async () => {
    const token = await giveToken(app.store, { expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect((await app.send('GET', '/plants/1', { authorization: `Bearer ${token}` })).status).toBe(404);
  });

  test('a 403 response names the missing scope', async () => {
    const token = await giveToken(app.store, { scopes: ['plants:read'] });
    const response = await app.send('POST', '/plants', { authorization: `Bearer ${token}` });
    expect(response.headers.get('www-authenticate')).toBe(`${realm}, error="insufficient_scope", scope="plants:write"`);
    expect(await errorOf(response)).toBe(40300);
  });

  test('each operation requires its own scope', async () => {
    const write = await giveToken(app.store, { scopes: ['plants:write', 'webhooks:read', 'webhooks:write'] });
    const read = await giveToken(app.store, { scopes: ['plants:read', 'webhooks:read', 'webhooks:write'] });
    const changeWebhooks = await giveToken(app.store, { scopes: ['plants:read', 'plants:write', 'webhooks:write'] });
    const readWebhooks = await giveToken(app.store, { scopes: ['plants:read', 'plants:write', 'webhooks:read'] });
    const none = await giveToken(app.store, { scopes: [] });
    for (const [method, path, wrong] of [
      ['GET', '/plants', write],
      ['GET', '/plants/1', write],
      ['POST', '/plants', read],
      ['PATCH', '/plants/1', read],
      ['DELETE', '/plants/1', read],
      ['GET', '/events', write],
      ['GET', '/webhooks', changeWebhooks],
      ['POST', '/webhooks', readWebhooks],
      ['GET', '/webhooks/x', changeWebhooks],
      ['DELETE', '/webhooks/x', readWebhooks],
      ['POST', '/webhooks/x/rotate', readWebhooks],
      ['POST', '/webhooks/x/test', readWebhooks],
      ['GET', '/webhooks/x/deliveries', changeWebhooks],
      ['POST', '/webhooks/x/deliveries/y/redeliver', readWebhooks],
    ] as const) {
      expect(await errorOf(await app.send(method, path, { authorization: `Bearer ${wrong}` }))).toBe(40300);
    }
    expect((await app.send('GET', '/token', { authorization: `Bearer ${none}` })).status).toBe(200);
  });

  describe('the order of the checks', () => {
    test('the checks of a request are token, path, method, scope, path id, If-Match, media type, size, JSON and schema, in this order', async () => {
      const reader = `Bearer ${await giveToken(app.store, { scopes: ['plants:read'] })}`;
      const writer = `Bearer ${await giveToken(app.store, { scopes: ['plants:write'] })}`;
      const json = { 'content-type': 'application/json' };
      const tooLong = { 'content-length': '70000' };
      const outcomes = await Promise.all(
        (
          [
            ['POST', '/nope', { authorization: null, body: untouchable() }, 40100],
            ['POST', '/plants', { authorization: 'Bearer x', headers: tooLong, body: untouchable() }, 40101],
            ['PUT', '/nope', { authorization: reader, body: untouchable() }, 40401],
            ['POST', '/plants/', { authorization: reader, body: untouchable() }, 40401],
            ['PUT', '/plants', { authorization: reader, body: untouchable() }, 40500],
            ['PATCH', '/plants/01', { authorization: reader, body: untouchable() }, 40300],
            [
              'PATCH',
              '/plants/01',
              { authorization: writer, headers: { 'if-match': 'x' }, body: untouchable() },
              40003,
            ],
            ['PATCH', '/plants/1', { authorization: writer, headers: { 'if-match': 'x' }, body: untouchable() }, 40002],
            [
              'PATCH',
              '/plants/1',
              { authorization: writer, headers: { 'if-match': '"x"' }, body: untouchable() },
              41500,
            ],
            ['PATCH', '/plants/1', { authorization: writer, headers: json, body: '{"name":1}' }, 40001],
            [
              'PATCH',
              '/plants/1',
              { authorization: writer, headers: { ...json, 'if-match': '"x"' }, body: '{}' },
              40400,
            ],
            ['POST', '/plants', { authorization: reader, headers: tooLong, body: untouchable() }, 40300],
            ['GET', '/plants/01', { authorization: writer }, 40300],
            ['GET', '/plants/01', { authorization: reader }, 40003],
            ['POST', '/plants', { authorization: writer, headers: tooLong, body: untouchable() }, 41500],
            [
              'POST',
              '/plants',
              { authorization: writer, headers: { ...json, ...tooLong }, body: untouchable() },
              41300,
            ],
            ['POST', '/plants', { authorization: writer, headers: json, body: '{"id":"x"' }, 40000],
            ['POST', '/plants', { authorization: writer, headers: json, body: '{"id":"x"}' }, 40001],
          ] as const
        ).map(async ([method, path, options, error]) => [await errorOf(await app.send(method, path, options)), error]),
      );
      for (const [actual, expected] of outcomes) expect(actual).toBe(expected);
    });
  });

  describe('public paths', () => {
    test.each([
      ['GET', '/', 200],
      ['GET', '/swagger', 200],
      ['GET', '/console', 200],
      ['GET', '/lessons', 200],
      ['GET', '/console-assets/console.js', 200],
      ['GET', '/swagger/json', 200],
      ['GET', '/openapi.json', 200],
      ['GET', '/openapi.yaml', 200],
      ['GET', '/openapi-3.0.json', 200],
      ['GET', '/openapi-3.2.json', 200],
      ['GET', '/healthz', 200],
      ['GET', '/readyz', 200],
      ['HEAD', '/healthz', 200],
      ['OPTIONS', '/healthz', 204],
      ['POST', '/healthz', 405],
    ])('%s %s needs no token', async (method, path, status) => {
      expect((await app.send(method, path, { authorization: null })).status).toBe(status);
    });

    test.each([
      ['GET', '/nope'],
      ['GET', '/plants'],
      ['OPTIONS', '/plants'],
      ['HEAD', '/plants/1'],
      ['GET', '/healthz/'],
      ['GET', '//healthz'],
      ['GET', '/Healthz'],
      ['GET', '/swagger/../plants/1'],
    ])('%s %s needs a token', async (method, path) => {
      expect((await app.send(method, path, { authorization: null })).status).toBe(401);
    });
  });
});
