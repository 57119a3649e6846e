import { afterAll, beforeAll, describe, expect, mock, test } from 'bun:test';
import { operations } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createDocument } from '../../src/document/document.ts';
import { prefixCharactersMax } from '../../src/http/path-prefix.ts';
import { serveDocument } from '../../src/pages/serve.ts';
import { demoToken } from '../../src/tokens/sample.ts';
import { createTestApp, type TestApp } from '../support/app/app.ts';
import { type Balancer, startHaproxy, startNginx } from '../support/network/balancer.ts';
import { type RunningServer, startDemo } from '../support/programs/process.ts';

const documents = ['/openapi.json', '/openapi-3.0.json', '/openapi-3.2.json', '/openapi.yaml', '/swagger/json'];

interface Served {
  readonly servers: readonly [{ readonly url: string }];
}

/** In a document as JSON or as YAML. */
const serverOf = (text: string): string => {
  const document = (text.startsWith('{') ? JSON.parse(text) : Bun.YAML.parse(text)) as Served;
  return document.servers[0].url;
};

describe('the prefix that a proxy removes', () => {
  const config = readConfig({}, { TRUSTED_PROXIES: '10.0.0.0/8' });
  /** One app, as each writes its own documents. */
  let peer = '';
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ config, peerOf: () => peer });
  });
  const serverIn = async (sender: string, prefix: string, path = '/openapi.json'): Promise<string | undefined> => {
    peer = sender;
    const response = await app.send('GET', path, { authorization: null, headers: { 'x-forwarded-prefix': prefix } });
    return serverOf(await response.text());
  };

  test.each([
    ['/garden', '/garden'],
    ['/garden/', '/garden'],
    ['/a/b-c_d/%C3%A9', '/a/b-c_d/%C3%A9'],
    ['/outer, /inner/', '/outer/inner'],
    ['/', '/'],
    ['', '/'],
    ['garden', '/'],
    ['//other.example', '/'],
    ['https://other.example/', '/'],
    ['/a b', '/'],
    ['/a"b', '/'],
    ['/a?b', '/'],
    ['/%zz', '/'],
    ["/it's/a:b", "/it's/a:b"],
    ['/.well-known/a..b/...', '/.well-known/a..b/...'],
    [`/${'a'.repeat(prefixCharactersMax - 1)}`, `/${'a'.repeat(prefixCharactersMax - 1)}`],
    [`/${'a'.repeat(prefixCharactersMax)}`, '/'],
    ['/.', '/'],
    ['/a/../b', '/'],
    ['/a/..', '/'],
    ['/a, /../b', '/'],
    ['/%2e%2E/b', '/'],
    ['/a/.%2e/b', '/'],
    ['/a//b', '/'],
    ['/a%2fb', '/'],
    ['/a%5Cb', '/'],
    ['/a\\b', '/'],
    ['/a%00b', '/'],
    ['/a%0ab', '/'],
  ])('with X-Forwarded-Prefix %p from a trusted proxy, the server of the document is %s', async (prefix, server) => {
    expect(await serverIn('10.1.2.3', prefix)).toBe(server);
    expect(await serverIn('10.1.2.3', prefix, '/openapi.yaml')).toBe(server);
  });

  test.each(documents)('%s has the prefix', async (path) => {
    expect(await serverIn('::ffff:10.1.2.3', '/garden', path)).toBe('/garden');
  });

  test('the prefix from another peer is ignored', async () => {
    expect(await serverIn('192.0.2.1', '/garden')).toBe('/');
  });

  test('documents with many prefixes differ in their servers and their entity tags', async () => {
    const app = await createTestApp({ config, peerOf: () => '10.1.2.3' });
    const prefixes = ['/a', '/b', '/c', '/d', '/e', '/f', '/a'];
    const seen = new Map<string, string | null>();
    for (const prefix of prefixes) {
      const response = await app.send('GET', '/openapi.json', { headers: { 'x-forwarded-prefix': prefix } });
      expect(JSON.parse(await response.text()).servers[0].url).toBe(prefix);
      seen.set(prefix, seen.get(prefix) ?? response.headers.get('etag'));
      expect(response.headers.get('etag')).toBe(`${seen.get(prefix)}`);
    }
    expect(new Set(seen.values()).size).toBe(6);
  });
});

test('a new prefix does not make the service read or convert the document again', async () => {
  const document = createDocument(operations);
  let reads = 0;
  const { info } = document;
  const create = mock(async (serverUrl: string) => {
    const servers = [{ ...document.servers[0], url: serverUrl, description: '' }];
    return Object.defineProperty({ ...document, servers }, 'info', { enumerable: true, get: () => ++reads && info });
  });
  const pages = { token: undefined, hasConsole: false, hasInbox: false };
  const app = serveDocument(create, ({ headers }) => headers.get('x-forwarded-prefix') ?? '', pages);
  const read = async (prefix: string): Promise<void> => {
    for (const path of documents) {
      const headers = { 'x-forwarded-prefix': prefix };
      const response = await app.handle(new Request(`http://localhost${path}`, { headers }));
      expect([path, serverOf(await response.text())]).toEqual([path, prefix]);
    }
  };
  await read('/first');
  const before = reads;
  expect(before).toBeGreaterThan(0);
  for (let count = 0; count < 10; count += 1) await read(`/next${count}`);
  expect([reads, create.mock.calls.length]).toEqual([before, 1]);
});

describe.each([
  ['nginx', startNginx],
  ['haproxy', startHaproxy],
] as const)('below /garden/, behind %s with its file in deploy/', (program, start) => {
  const isMissing = Bun.which(program) === null;
  let demo: RunningServer;
  let balancer: Balancer;
  let base: string;
  beforeAll(async () => {
    if (isMissing) return;
    demo = await startDemo({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    balancer = await start([demo.port, demo.port, demo.port]);
    base = `http://127.0.0.1:${balancer.port}/garden/`;
  });
  afterAll(async () => {
    await balancer?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });

  const headers = { authorization: `Bearer ${demoToken}`, 'content-type': 'application/json' };
  /** Sends a request to a reference, relative to the address of the last response, as a client follows a link. */
  const follow = async (reference: string, from = base, init: RequestInit = {}) => {
    const response = await fetch(new URL(reference, from), { headers, ...init });
    expect(response.url).toStartWith(base);
    return response;
  };
  const targetOf = (response: Response): string | undefined =>
    /^<([^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];

  test.skipIf(isMissing)('a client that follows each Link reads the whole list, and each event', async () => {
    for (const [list, idOf] of [
      ['plants?limit=2', 'id'],
      ['events?limit=2', 'eventId'],
    ] as const) {
      const whole = await (await follow(list.replace('limit=2', 'limit=1000'))).text();
      const ids: unknown[] = [];
      for (let next: string | undefined = list, from = base; next !== undefined; ) {
        const response: Response = await follow(next, from);
        ids.push(...JSON.parse(await response.text()).map((item: Record<string, unknown>) => item[idOf]));
        [next, from] = [targetOf(response), response.url];
      }
      expect(ids).toEqual(JSON.parse(whole).map((item: Record<string, unknown>) => item[idOf]));
      expect(ids.length).toBeGreaterThan(2);
    }
  });

  test.skipIf(isMissing)('a client that follows Location reads what it has created, and its deliveries', async () => {
    const plant = await follow('plants', base, { method: 'POST', body: '{"id":77,"name":"n"}' });
    expect(plant.status).toBe(200);
    expect(await (await follow(`${plant.headers.get('location')}`, plant.url)).json()).toMatchObject({ id: 77 });

    const target = '{"url":"http://127.0.0.1:9/"}';
    const webhook = await follow('webhooks', base, { method: 'POST', body: target });
    expect(webhook.status).toBe(201);
    const read = await follow(`${webhook.headers.get('location')}`, webhook.url);
    expect(read.status).toBe(200);
    for (const _ of [1, 2]) expect((await follow(`${read.url}/test`, base, { method: 'POST' })).status).toBe(202);
    const first = await follow(`${read.url}/deliveries?limit=1`);
    const second = await follow(targetOf(first) ?? '', first.url);
    expect([await first.json(), await second.json()].map((page) => (Array.isArray(page) ? page.length : page))).toEqual(
      [1, 1],
    );
    expect((await follow('__demo/reset', base, { method: 'POST' })).status).toBeLessThan(300);
  });

  test.skipIf(isMissing)('a browser gets from the path to the page, its script and the document', async () => {
    const accept = { accept: 'text/html' };
    const start = await follow(base.slice(0, -1), base, { headers: accept });
    expect(start.url).toBe(base);
    const [, link = ''] = /href="(swagger)"/.exec(await start.text()) ?? [];
    const page = await follow(link, start.url, { headers: accept });
    const html = await page.text();
    const script = /src="(swagger-assets[^"]+)"/.exec(html)?.[1] ?? '';
    expect((await follow(script, page.url)).headers.get('content-type')).toStartWith('text/javascript');
    const { url } = JSON.parse(/data-configuration='([^']*)'/.exec(html)?.[1] ?? '{}');
    expect((await follow(url, page.url)).status).toBe(200);
  });

  test.skipIf(isMissing)(
    'each form of the document names the prefix as its server, and the text at the path names it too',
    async () => {
      for (const path of documents) {
        const response = await follow(path.slice(1));
        const server = serverOf(await response.text());
        const listed = await follow(`${server}/plants`, response.url);
        expect([path, listed.status]).toEqual([path, 200]);
      }
      const text = await (await follow('', base, { headers: { accept: 'text/plain' } })).text();
      for (const [path] of text.matchAll(/\/[\w./-]*\w/g)) expect((await follow(path)).status).toBe(200);
    },
  );

  test.skipIf(isMissing)('the paths without the prefix still work, and a client cannot set one', async () => {
    const root = `http://127.0.0.1:${balancer.port}`;
    const response = await fetch(`${root}/openapi.json`, { headers: { 'x-forwarded-prefix': '/other' } });
    expect(JSON.parse(await response.text()).servers[0].url).toBe('/');
    expect((await fetch(`${root}/plants`, { headers })).status).toBe(200);
  });
});
