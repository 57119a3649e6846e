/** Unknown query parameters, on every operation. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { operations } from '../../src/app/app.ts';
import { methodOf, pathOf, queryNamesOf } from '../../src/http/operation.ts';
import { generateToken } from '../../src/tokens/token.ts';
import { asJson, create, createTestApp, errorOf, giveToken, jsonOf, type TestApp } from '../support/app/app.ts';
import { startTestDemo } from '../support/app/demo.ts';
import { asStream } from '../support/streams/event-stream.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

const messageFor = async (path: string, method = 'GET'): Promise<string> => {
  const body = await jsonOf(await app.send(method, path));
  expect([path, body.error]).toEqual([path, 40002]);
  return body.message;
};

const ofPlants = 'the operation has limit, after, sort, name, search, tag, count.';

test.each(Object.entries(operations))(
  '%s refuses an unknown query parameter, and lists those that it has',
  async (_id, one) => {
    const known = queryNamesOf(one).join(', ') || 'none';
    // An invalid value of a known parameter is found first.
    const path = `${pathOf(one).replaceAll(/\{\w+\}/g, '1')}?${pathOf(one) === '/deliveries' ? 'state=failed&' : ''}`;
    const message = `The query parameter order does not exist; the operation has ${known}.`;
    expect(await messageFor(`${path}order=name`, methodOf(one))).toBe(message);
    if (methodOf(one) === 'GET') expect((await app.send('HEAD', `${path}order=name`)).status).toBe(400);
  },
);

test('an unknown query parameter changes nothing, and the body is not read', async () => {
  expect(
    await errorOf(await app.send('POST', '/plants?dry=true', { headers: asJson, body: '{"id":1,"name":"n"}' })),
  ).toBe(40002);
  expect((await app.send('GET', '/plants/1')).status).toBe(404);
  expect(await errorOf(await app.send('POST', '/plants?dry=true', { body: 'x' }))).toBe(40002);
});

describe('the name in the message', () => {
  test.each([
    ['?order=name&limit=x', 'order'],
    ['?Limit=5', 'Limit'],
    ['?LIMIT', 'LIMIT'],
    ['?page=1&page=2', 'page'],
    ['?limit=1&offset=5', 'offset'],
    ['?filter%5Btag%5D=a', 'filter[tag]'],
    ['?$top=5', '$top'],
    ['?%6frder=', 'order'],
    ['?page-size', 'page-size'],
    ['?__proto__=1', '__proto__'],
    ['?toString', 'toString'],
    [`?${'x'.repeat(32)}`, 'x'.repeat(32)],
  ])('the message for %s names the parameter', async (query, name) => {
    // An invalid value of a known parameter is found first.
    const path = `/plants${query.replace('&limit=x', '')}`;
    expect(await messageFor(path)).toBe(`The query parameter ${name} does not exist; ${ofPlants}`);
  });

  test.each([
    ['an empty name', '?=1'],
    ['an empty name without a value', '?limit=1&='],
    ['a long name', `?${'x'.repeat(33)}`],
    ['a space', '?li+mit=1'],
    ['a line break', '?a%0d%0ab=1'],
    ['markup', '?%3Cscript%3E=1'],
    ['quotes', "?a%22b'c=1"],
    ['a terminal sequence', '?%1b%5B31m=1'],
    ['letters beyond ASCII', '?gr%C3%B6%C3%9Fe=1'],
    ['a token', `?${generateToken()}`],
  ])('the message for %s does not repeat it', async (_what, query) => {
    expect(await messageFor(`/plants${query}`)).toBe(`A query parameter does not exist; ${ofPlants}`);
  });

  test('a value is never repeated', async () => {
    const token = generateToken();
    expect(await messageFor(`/token?access_token=${token}`)).toBe(
      'The query parameter access_token does not exist; the operation has none.',
    );
  });

  test('a name that is not UTF-8 is refused', async () => {
    for (const path of ['/plants?%ff=1', '/plants/1?%zz', '/token?%'])
      expect(await messageFor(path)).toBe('The query is not percent-encoded UTF-8.');
  });
});

test.each(['%ff', '%c3', '%ed%a0%80', '%', 'a%EF%BF%BD', '\ufffd'])(
  'the value %s is refused, and the message names its parameter',
  async (value) => {
    const response = await app.send('GET', `/plants?limit=1&tag=${value}`);
    expect(await jsonOf(response)).toEqual({
      error: 40002,
      message: 'The query parameter tag must be percent-encoded UTF-8, without U+FFFD.',
      details: [{ parameter: 'tag', message: 'must be percent-encoded UTF-8, without U+FFFD' }],
    });
  },
);

test('an empty query, and empty parts of one, are no parameters', async () => {
  for (const path of ['/plants?', '/plants?&', '/plants?limit=1&', '/plants?&&limit=1', '/token?', '/token?&'])
    expect([path, (await app.send('GET', path)).status]).toEqual([path, 200]);
});

test('known parameters may be encoded', async () => {
  expect((await app.send('GET', '/plants?%6cimit=1&t%61g=a%20b')).status).toBe(200);
});

test('an unknown query parameter is found after the token, the path, the method, the scope and the id, and before the body', async () => {
  const reader = `Bearer ${await giveToken(app.store, { scopes: ['plants:read'] })}`;
  for (const [method, path, authorization, error] of [
    ['GET', '/plants?x', null, 40100],
    ['GET', '/nope?x', reader, 40401],
    ['PUT', '/plants?x', reader, 40500],
    ['DELETE', '/plants/1?x', reader, 40300],
    ['GET', '/plants/01?x', reader, 40003],
    ['GET', '/plants/1?x', reader, 40002],
    ['GET', '/events?x&after=x', reader, 40002],
  ] as const)
    expect([path, await errorOf(await app.send(method, path, { authorization }))]).toEqual([path, error]);
  await create(app, '{"id":2,"name":"n"}');
  const stream = await app.send('GET', '/events?x', { headers: asStream });
  expect(await errorOf(stream)).toBe(40002);
});

test('public paths ignore a query, such as one against caches', async () => {
  for (const path of [
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/openapi.yaml',
    '/openapi-3.0.json',
    '/swagger',
    '/console',
    '/lessons',
    '/swagger/json',
    '/',
  ]) {
    for (const query of ['?x', '?v=1&v=2', '?=', '?%zz']) {
      const response = await app.send('GET', path + query, { authorization: null });
      expect([path, query, response.status]).toEqual([path, query, 200]);
    }
  }
  expect((await app.send('OPTIONS', '/plants?x')).status).toBe(204);
});

test('the reset of a demo has no query parameters', async () => {
  await using demo = await startTestDemo();
  expect(await jsonOf(await demo.send('POST', '/__demo/reset?hard=true'))).toEqual({
    error: 40002,
    message: 'The query parameter hard does not exist; the operation has none.',
    details: [{ parameter: 'hard', message: 'does not exist; the operation has none' }],
  });
});
