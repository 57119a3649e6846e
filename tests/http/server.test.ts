/** Input that a client library would normalize, and faulty connections: both need real sockets. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { createApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { listen, requestsPerTurn, type Server } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { createTestApp, type TestApp } from '../support/app/app.ts';
import { untilRead } from '../support/network/connection.ts';
import { type RawResponse, sendRaw } from '../support/network/raw.ts';
import { expectPace, idleMs } from '../support/pace.ts';

const log = createLog('silent');
let app: TestApp;
let server: Server;
let port: number;
beforeAll(async () => {
  app = await createTestApp();
  const { fetch } = createApp({ store: app.store, config: readConfig({}, {}), log });
  server = await listen({ host: '127.0.0.1', port: 0, fetch, log });
  port = Number(new URL(server.url).port);
});
afterAll(() => server.stop({ graceMs: 0 }));

const head = (...headers: string[]): string =>
  ['POST /plants HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...headers, '', ''].join('\r\n');
const bearer = (): string => `Authorization: Bearer ${app.token}`;
const statusOf = ({ text }: RawResponse): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
const bodyOf = ({ text }: RawResponse): string => text.slice(text.indexOf('\r\n\r\n') + 4);
const chunk = (data: string): string => `${Buffer.byteLength(data).toString(16)}\r\n${data}\r\n`;

describe('chunked bodies', () => {
  test('a chunked body is assembled from chunks of any size', async () => {
    const body = '{"id":9223372036854775807,"name":"日本"}';
    const bytes = Buffer.from(body);
    const pieces = [head(bearer(), 'Transfer-Encoding: chunked')];
    const chunks = Array.from(bytes, (byte) =>
      Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]),
    );
    const response = await sendRaw(port, [...pieces, ...chunks, '0\r\n\r\n'], { gapMs: 1 });
    expect(statusOf(response)).toBe(200);
    expect(Buffer.from(bodyOf(response), 'latin1').toString()).toBe('{"name":"日本"}');
  });

  test('a chunked body is refused as soon as more than 64 KiB are received', async () => {
    const response = await sendRaw(port, [
      head(bearer(), 'Transfer-Encoding: chunked'),
      ...Array.from({ length: 70 }, () => chunk(' '.repeat(1024))),
    ]);
    expect(statusOf(response)).toBe(413);
    expect(bodyOf(response)).toStartWith('{"error":41300,');
    expect(response.text.toLowerCase()).toContain('connection: close');
    expect(response.isClosed).toBe(true);
  });

  test('a chunked body is not read if the token is invalid', async () => {
    const response = await sendRaw(port, [head('Authorization: Bearer nope', 'Transfer-Encoding: chunked')]);
    expect(statusOf(response)).toBe(401);
  });
});

test('a Content-Length above the limit is refused before the body arrives', async () => {
  const response = await sendRaw(port, [head(bearer(), 'Content-Length: 65537')]);
  expect(statusOf(response)).toBe(413);
  expect(response.isClosed).toBe(true);
});

test('an invalid token is refused before the body arrives', async () => {
  const response = await sendRaw(port, [head('Authorization: Bearer nope', 'Content-Length: 100')]);
  expect(statusOf(response)).toBe(401);
  expect(bodyOf(response)).toStartWith('{"error":40101,');
});

test('two Authorization header fields are refused, even with the same token', async () => {
  const body = '{"id":2,"name":"n"}';
  const response = await sendRaw(port, [head(bearer(), bearer(), `Content-Length: ${body.length}`) + body]);
  expect(bodyOf(response)).toStartWith('{"error":40101,');
});

test('two Content-Type header fields are refused', async () => {
  const body = '{"id":2,"name":"n"}';
  const response = await sendRaw(port, [
    head(bearer(), 'Content-Type: application/json', `Content-Length: ${body.length}`) + body,
  ]);
  expect(bodyOf(response)).toStartWith('{"error":41500,');
});

test('a connection accepts many requests, both sequential and pipelined', async () => {
  const get = `GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const response = await sendRaw(port, [get, get, get + get + get]);
  expect(response.text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(5);
});

const createRequest = (id: number): string => {
  const body = `{"id":${id},"name":"n"}`;
  return `${head(bearer(), `Content-Length: ${body.length}`)}${body}`;
};
const listRequest = (): string => `GET /plants HTTP/1.1\r\nHost: localhost\r\n${bearer()}\r\n\r\n`;

test.each<[string, () => string[]]>([
  ['write', () => [createRequest(101), createRequest(102)]],
  ['read', () => [listRequest(), listRequest()]],
])(
  'a request that is pipelined behind a pending %s closes the connection, and can be sent again',
  async (_kind, requestsOf) => {
    const requests = requestsOf();
    const pipelined = await sendRaw(port, [requests.join('')]);
    expect(pipelined.isClosed).toBe(true);
    expect(pipelined.text).toBe('');
    for (const request of requests) expect(statusOf(await sendRaw(port, [request]))).toBe(200);
  },
);

test.each([1, 8])('%d connections that do not wait for responses leave turns to other work', async (connections) => {
  const requests = 5000;
  let begun = 0;
  let begunInTurn = 0;
  let most = 0;
  const flooded = await listen({
    host: '127.0.0.1',
    port: 0,
    log,
    fetch: () => {
      begun += 1;
      if (begunInTurn === 0) setImmediate(() => (begunInTurn = 0));
      begunInTurn += 1;
      most = Math.max(most, begunInTurn);
      return new Response('ok');
    },
  });
  const flood = `GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(requests);
  const { port } = new URL(flooded.url);
  const responses = await Promise.all(Array.from({ length: connections }, () => sendRaw(Number(port), [flood])));
  for (const { isClosed } of responses) expect(isClosed).toBe(true);
  expect(begun).toBeLessThan(connections * requests);
  // The requests that waited may begin before the turn of this count ends.
  expect(most).toBeWithin(requestsPerTurn, 2 * requestsPerTurn + 1);
  await flooded.stop({ graceMs: 0 });
});

test('two Host header fields or an invalid one are refused, with or without a token', async () => {
  const rejection = '{"error":40002,"message":"The header Host must appear once, as a host with an optional port."}';
  const several = ['a\r\nHost: b', 'a\r\nHost: a', 'a\r\nHost: ', 'a, b'];
  const invalid = [
    'a b',
    '/',
    'a/b',
    '[::1',
    '[::1]]',
    'u@h',
    'a?b',
    'a#b',
    'a\\b',
    'a:b',
    'a:1:2',
    'http://a',
    '%',
    'a%4',
  ];
  const requests = ['GET /healthz', 'GET /plants/1', 'POST /none'].flatMap((line) =>
    [...several, ...invalid, 'é', '"a"', '<a>'].map(
      (host) => `${line} HTTP/1.1\r\nHost: ${host}\r\n${bearer()}\r\n\r\n`,
    ),
  );
  const responses = await Promise.all(requests.map((request) => sendRaw(port, [request])));
  for (const [index, response] of responses.entries())
    expect([requests[index], statusOf(response), bodyOf(response)]).toEqual([requests[index], 400, rejection]);
  const withoutToken = await sendRaw(port, ['GET /plants HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n']);
  expect(bodyOf(withoutToken)).toBe(rejection);
});

test('the path comes from the request line and does not depend on Host', async () => {
  for (const host of ['x', 'a.b', '[::1]', '[fe80::1%25eth0]:80', 'localhost:1', 'a_b', 'A%41', 'a:', '']) {
    const response = await sendRaw(port, [`POST /foo/plants HTTP/1.1\r\nHost: ${host}\r\n${bearer()}\r\n\r\n`]);
    expect(bodyOf(response)).toStartWith('{"error":40401,');
    const found = await sendRaw(port, [`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`]);
    expect(statusOf(found)).toBe(200);
  }
  expect(statusOf(await sendRaw(port, ['GET /healthz HTTP/1.0\r\n\r\n']))).toBe(200);
  expect(statusOf(await sendRaw(port, ['GET /zzzzzz/healthz HTTP/1.0\r\n\r\n']))).toBe(401);
  const body = '{"id":77,"name":"n"}';
  const created = await sendRaw(port, [
    `POST /plants HTTP/1.1\r\nHost: \r\n${bearer()}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ]);
  expect(bodyOf(created)).toBe('{"name":"n"}');
});

test('the rejection of a HEAD request has the headers of GET and no body', async () => {
  const response = await sendRaw(port, ['HEAD /plants/1 HTTP/1.1\r\nHost: localhost\r\n\r\n']);
  expect(statusOf(response)).toBe(401);
  expect(response.text.toLowerCase()).toContain('www-authenticate: bearer realm="plant-store"');
  expect(bodyOf(response)).toBe('');
});

describe('a stalled request', () => {
  /** Bun checks the time limit every four seconds. */
  const droppedWithinMs = 9_000;

  test.concurrent.each<[string, () => string[]]>([
    ['in its header section', () => ['POST /plants HTTP/1.1\r\nHo']],
    ['in a declared body', () => [`${head(bearer(), 'Content-Length: 100')}{"id":`]],
    ['in a chunked body', () => [head(bearer(), 'Transfer-Encoding: chunked') + chunk('{"id":')]],
    ['in a body that arrives slowly', () => [head(bearer(), 'Content-Length: 100'), ...'{"id":1'.repeat(14)]],
  ])(
    'a request that stalls %s is dropped after the time limit, and does not delay other requests',
    async (_where, pieces) => {
      const slow = await listen({
        host: '127.0.0.1',
        port: 0,
        fetch: createApp({ store: app.store, config: readConfig({}, {}), log }).fetch,
        log,
        requestSecondsMax: 1,
      });
      const slowPort = Number(new URL(slow.url).port);
      const stalled = sendRaw(slowPort, pieces(), { gapMs: 120 });
      const dropped = idleMs(stalled);
      expect(statusOf(await sendRaw(slowPort, ['GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n']))).toBe(200);
      const { isClosed, text } = await stalled;
      expect(isClosed).toBe(true);
      expect(text).not.toContain('200 OK');
      expectPace('the request', await dropped, droppedWithinMs + 4000);
      await slow.stop({ graceMs: 0 });
    },
  );
});

describe('a stop', () => {
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const portOf = ({ url }: Server): number => Number(new URL(url).port);

  const startServer = async (): Promise<Server> => {
    const stoppable = await listen({ host: '127.0.0.1', port: 0, log, fetch: (request) => own.fetch(request) });
    const own = createApp({ store: app.store, config: readConfig({}, {}), log, stopping: stoppable.stopping });
    return stoppable;
  };

  /** Opens a connection. If `isUsed`, one request and its response are sent on it first. */
  const openConnection = async (server: Server, { isUsed }: { isUsed: boolean }) => {
    const socket = connect(portOf(server), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    if (isUsed) {
      socket.write(get('/healthz'));
      await new Promise((resolve) => socket.once('data', resolve));
    }
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    const response = new Promise<string>((resolve) => socket.on('error', () => {}).on('close', () => resolve(text)));
    return { socket, response };
  };

  test('during the delay of a stop, only /readyz gets 503, and each response closes its connection', async () => {
    const stopping = await startServer();
    void stopping.stop({ delayMs: 60_000, graceMs: 0 });
    const requests = [get('/readyz'), get('/healthz'), get('/'), createRequest(201), get('/plants')];
    const responses: RawResponse[] = [];
    for (const request of requests) responses.push(await sendRaw(portOf(stopping), [request]));
    expect(responses.map(statusOf)).toEqual([503, 200, 200, 200, 401]);
    expect(responses.map(({ isClosed }) => isClosed)).toEqual(requests.map(() => true));
    for (const { text } of responses) expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
    const [notReady] = responses;
    expect(notReady && bodyOf(notReady)).toBe('{"error":50300,"message":"The service is stopping."}');
    await stopping.stop({ graceMs: 0 });
    expect((await sendRaw(portOf(stopping), [get('/healthz')])).text).toBe('');
  });

  test.each([
    ['a connection in use', true],
    ['a new connection', false],
  ])('a request that arrives on %s just before a stop gets a response', async (_which, isUsed) => {
    const server = await startServer();
    const { socket, response } = await openConnection(server, { isUsed });
    socket.write(createRequest(202));
    await server.stop({ graceMs: 5000 });
    expect(await response).toStartWith('HTTP/1.1 200 OK');
    expect((await response).toLowerCase()).toContain('\r\nconnection: close\r\n');
  });

  test('a stop waits for a request with an incomplete header section', async () => {
    const server = await startServer();
    const { socket, response } = await openConnection(server, { isUsed: true });
    const request = createRequest(203);
    socket.write(request.slice(0, 30));
    await untilRead(portOf(server));
    const stopped = server.stop({ graceMs: 30_000 });
    socket.write(request.slice(30));
    expect(await response).toStartWith('HTTP/1.1 200 OK');
    await stopped;
  });
});
