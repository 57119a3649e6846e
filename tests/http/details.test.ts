/** Errors that list every invalid part of a request. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { asJson, createTestApp, jsonOf, type TestApp } from '../support/app/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

const idRule = 'must be an integer from -9223372036854775808 to 9223372036854775807';
const nameRule = 'must be a string of at most 500 characters, without U+0000 or lone surrogates';
const tagRule = 'must be a string of at most 100 characters, without U+0000 or lone surrogates';
const eventsRule =
  'must be a list of plant.created, plant.updated, plant.deleted, plant.picture.updated, plant.picture.deleted, at least one, each at most once';

describe('a body', () => {
  test.each([
    [
      '/plants',
      '{}',
      [
        ['/id', `is required and ${idRule}`],
        ['/name', `is required and ${nameRule}`],
      ],
    ],
    [
      '/plants',
      '{"id":"1","name":5,"tag":null}',
      [
        ['/id', idRule],
        ['/name', nameRule],
        ['/tag', tagRule],
      ],
    ],
    // First what is missing, as the message has always been.
    [
      '/plants',
      '{"id":1.5}',
      [
        ['/name', `is required and ${nameRule}`],
        ['/id', idRule],
      ],
    ],
    ['/plants', '{"__proto__":{"id":1},"name":"n"}', [['/id', `is required and ${idRule}`]]],
    [
      '/webhooks',
      '{"events":["plant.created","x"],"secret":"y"}',
      [
        ['/url', 'is required and must be a string of at most 2048 characters'],
        ['/events', eventsRule],
        ['/secret', 'must be whsec_ and 24 to 64 bytes in base64'],
      ],
    ],
    // The rule of a URL is beyond its schema.
    [
      '/webhooks',
      '{"url":"example.com","events":[]}',
      [
        ['/events', eventsRule],
        ['/url', 'must be an absolute URL, in ASCII and percent-encoded'],
      ],
    ],
    ['/webhooks', '{"url":"ftp://example.com"}', [['/url', 'must be an https URL']]],
  ])('%s %s: each invalid member has its rule, and the message is about the first', async (path, body, expected) => {
    const problem = await jsonOf(await app.send('POST', path, { headers: asJson, body }));
    expect(problem).toEqual({
      error: 40001,
      message: `${expected[0]?.join(' ')}.`,
      details: expected.map(([pointer, message]) => ({ pointer, message })),
    });
  });

  test('a patch lists them too, and the id that differs from the path', async () => {
    await app.send('POST', '/plants', { headers: asJson, body: '{"id":5,"name":"n"}' });
    const patch = async (body: string) => jsonOf(await app.send('PATCH', '/plants/5', { headers: asJson, body }));
    expect(await patch('{"name":1,"tag":2}')).toMatchObject({
      error: 40001,
      details: [{ pointer: '/name' }, { pointer: '/tag', message: expect.stringMatching(/^must be null or /) }],
    });
    expect(await patch('{"id":6,"name":1}')).toMatchObject({ details: [{ pointer: '/name' }, { pointer: '/id' }] });
    expect(await patch('{"id":"5"}')).toMatchObject({ details: [{ pointer: '/id' }] });
    expect(await patch('{"id":6,"name":"m"}')).toEqual({
      error: 40001,
      message: '/id must equal the id in the path.',
      details: [{ pointer: '/id', message: 'must equal the id in the path' }],
    });
  });

  test.each(['[]', '5', 'null', '"x"'])('%s is not an object', async (body) => {
    expect(await jsonOf(await app.send('POST', '/plants', { headers: asJson, body }))).toEqual({
      error: 40001,
      message: 'The body must be a JSON object.',
      details: [{ pointer: '', message: 'must be a JSON object' }],
    });
  });
});

describe('a query', () => {
  test.each([
    ['/plants?limit=0&sort=up&count=1', ['limit', 'sort', 'count']],
    // An invalid value is found before an unknown parameter.
    ['/plants?page=2&limit=x&per_page=5&page=3', ['limit', 'page', 'per_page']],
    ['/plants?limit=1&limit=2&tag=%ff&sort=up', ['limit', 'tag', 'sort']],
    ['/plants?limit=1&limit=x&limit=3', ['limit']],
    ['/plants?a=1&b=2', ['a', 'b']],
    ['/deliveries?limit=0', ['state', 'limit']],
    ['/token?a=1&b=2', ['a', 'b']],
  ])('%s: each invalid parameter is in the details once', async (path, names) => {
    const { error, message, details } = await jsonOf(await app.send('GET', path));
    const [first] = details;
    expect([error, message]).toEqual([40002, `The query parameter ${first.parameter} ${first.message}.`]);
    expect(details.map(({ parameter }: { parameter: string }) => parameter)).toEqual(names);
  });

  test('a name that the message must not repeat is not in the details', async () => {
    const long = 'x'.repeat(33);
    const both = await (await app.send('GET', `/plants?${long}=1&page=2`)).text();
    expect(both).not.toContain(long);
    expect(JSON.parse(both).details).toEqual([expect.objectContaining({ parameter: 'page' })]);
    expect(await jsonOf(await app.send('GET', `/plants?${long}=1`))).not.toHaveProperty('details');
  });

  test('an invalid header is one of them', async () => {
    const headers = { 'if-none-match': 'x' };
    expect(await jsonOf(await app.send('GET', '/plants/1', { headers }))).toEqual({
      error: 40002,
      message: 'The header If-None-Match must be * or a list of entity tags.',
      details: [{ parameter: 'If-None-Match', message: 'must be * or a list of entity tags' }],
    });
  });
});

test('a failure of no part of the request has no details', async () => {
  for (const path of ['/plants/x', '/plants/77', '/nowhere', '/plants?after=x'])
    expect([path, Object.keys(await jsonOf(await app.send('GET', path)))]).toEqual([path, ['error', 'message']]);
});
