/** HEAD on a real server, which omits the body of each response. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createApp, operations } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { listen, type Server } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { getPlant, listPlants } from '../../src/plants/operations.ts';
import { asJson, create, createTestApp, type TestApp, untouchable } from '../support/app/app.ts';
import { locatedPath } from '../support/app/links.ts';
import { asStream } from '../support/streams/event-stream.ts';

const log = createLog('silent');
const config = readConfig({}, {});

/** The app, with this handler of two operations. */
const createOtherApp = (handle: (input: { readonly request: Request }) => Response): Promise<TestApp> =>
  createTestApp({
    operations: {
      ...operations,
      getPlant: { ...getPlant, handler: () => handle },
      listPlants: { ...listPlants, handler: () => handle },
    },
  });

let app: TestApp;
let server: Server;
let webhook: string;
beforeAll(async () => {
  app = await createTestApp();
  const { fetch } = createApp({ store: app.store, config, log });
  server = await listen({ host: '127.0.0.1', port: 0, fetch, log });
  await create(app, '{"id":1,"name":"n"}');
  for (let id = 2; id <= 200; id += 1) await create(app, `{"id":${id},"name":"${'x'.repeat(500)}"}`);
  const created = await app.send('POST', '/webhooks', { headers: asJson, body: '{"url":"https://example.com/"}' });
  webhook = locatedPath(created, '/webhooks');
});
afterAll(() => server.stop({ graceMs: 0 }));

/** The status and the headers that do not differ in each response. The body is not read. */
const headOf = async (method: string, path: string, headers: Record<string, string>) => {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${app.token}`, 'accept-encoding': 'identity', ...headers },
    redirect: 'manual',
    decompress: false,
  });
  await response.body?.cancel();
  const { date: _, 'x-request-id': id, ...rest } = Object.fromEntries(response.headers);
  expect(id).toBeString();
  return { status: response.status, ...rest };
};

const script = async (): Promise<string> =>
  `/${/swagger-assets\/[^"]+\.js(?=")/.exec(await (await fetch(`${server.url}/swagger`)).text())?.[0]}`;

test.each<[what: string, path: () => string | Promise<string>, headers?: Record<string, string>]>([
  ['a plant', () => '/plants/1'],
  ['a plant that the client has', () => '/plants/1', { 'if-none-match': '*' }],
  ['a plant that does not exist', () => '/plants/-1'],
  ['a request without a token', () => '/plants/1', { authorization: '' }],
  ['a short page', () => '/plants?limit=1'],
  ['a page that is sent in pieces', () => '/plants?limit=200'],
  ['a page of events', () => '/events'],
  ['a stream of events', () => '/events', asStream],
  ['a webhook', () => webhook],
  ['the deliveries of a webhook', () => `${webhook}/deliveries`],
  ['the document', () => '/openapi.json'],
  ['a document that the client has', () => '/openapi.yaml', { 'if-none-match': '*' }],
  ['the page', () => '/swagger'],
  ['the script of the page', script],
  ['the compressed script of the page', script, { 'accept-encoding': 'gzip' }],
  ['the console', () => '/console'],
  ['the lessons', () => '/lessons'],
  ['the script of the console', () => '/console-assets/console.js'],
  ['the root', () => '/'],
  ['the root in a browser', () => '/', { accept: 'text/html' }],
  ['a path that does not support GET', () => `${webhook}/rotate`],
  ['/healthz', () => '/healthz'],
])('the response to HEAD has the status and the headers of GET: %s', async (_what, path, headers = {}) => {
  const at = await path();
  expect(await headOf('HEAD', at, headers)).toEqual(await headOf('GET', at, headers));
});

test.each(['/plants/1', '/plants'])('the body of a response to HEAD is not read: %s', async (path) => {
  const { send } = await createOtherApp(() => new Response(untouchable()));
  expect((await send('HEAD', path)).status).toBe(200);
});

test.each(['/plants/1', '/plants'])('a handler gets the method HEAD: %s', async (path) => {
  const methods: string[] = [];
  const { send } = await createOtherApp(({ request }) => {
    methods.push(request.method);
    return new Response();
  });
  await send('HEAD', path);
  expect(methods).toEqual(['HEAD']);
});
