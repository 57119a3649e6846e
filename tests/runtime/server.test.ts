/** The HTTP server on each runtime, over raw sockets: what `src/http/server.ts` and `Serve` in `src/runtime/runtime.ts` promise. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { bodyBytesMax } from '../../src/base/app-error.ts';
import { message, open, untilRead } from '../support/network/connection.ts';
import { type RawResponse, sendRaw } from '../support/network/raw.ts';
import { expectPace, idleMs } from '../support/pace.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { startServer } from '../support/programs/server-on.ts';
import { until } from '../support/until.ts';

const get = (path: string, ...headers: string[]): string => message('GET', path, ...headers);
const post = (path: string, ...headers: string[]): string => message('POST', path, ...headers);
const chunk = (data: string): string => `${Buffer.byteLength(data).toString(16)}\r\n${data}\r\n`;
const statusOf = ({ text }: RawResponse): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
const headOf = ({ text }: RawResponse): string => text.slice(0, text.indexOf('\r\n\r\n')).toLowerCase();
const bodyOf = ({ text }: RawResponse): string => text.slice(text.indexOf('\r\n\r\n') + 4);
const shown = (response: RawResponse): unknown => JSON.parse(Buffer.from(bodyOf(response), 'latin1').toString());

describe.each(runtimeNames)('on %s', (runtime) => {
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer(runtime);
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const send = (pieces: readonly (string | Buffer)[]): Promise<RawResponse> => sendRaw(server.port, pieces);

  test('a request has its method, path, query, headers and peer', async () => {
    const response = await send([get('/a/./b/../c%20d?e=f%20g&h', 'X-Tag: a', 'x-tag: b')]);
    expect(shown(response)).toEqual({
      method: 'GET',
      path: '/a/c%20d?e=f%20g&h',
      host: 'localhost',
      tag: 'a, b',
      peer: '127.0.0.1',
      body: '',
      bytes: 0,
    });
  });

  test.each([
    ['', ''],
    [' \t ', ''],
    ['\t a b \t ', 'a b'],
  ])('the value of the header %j is read without the spaces around it', async (sent, tag) => {
    expect(shown(await send([get('/', `X-Tag:${sent}`)]))).toMatchObject({ tag });
  });

  test.each(['PATCH', 'DELETE', 'OPTIONS', 'PUT', 'TRACE', 'PROPFIND'])('a request can be a %s', async (method) => {
    expect(shown(await send([post('/').replace('POST', method)]))).toMatchObject({ method });
  });

  test('a body is read with a length or in chunks, in any pieces', async () => {
    const body = '{"name":"日本"}'.repeat(5);
    const bytes = Buffer.from(body);
    const half = bytes.subarray(0, 33);
    expect(shown(await send([post('/', `Content-Length: ${bytes.length}`), half, bytes.subarray(33)]))).toMatchObject({
      body,
      bytes: bytes.length,
    });
    const pieces = [...body].map(chunk);
    const head = post('/', 'Transfer-Encoding: chunked');
    expect(shown(await send([head, ...pieces, '0\r\n\r\n']))).toMatchObject({ body, bytes: bytes.length });
    expect(shown(await send([post('/', 'Content-Length: 0')]))).toMatchObject({ bytes: 0 });
  });

  test('the body of a request without one is empty', async () => {
    for (const request of [get('/read'), post('/read'), post('/read', 'Content-Length: 0')]) {
      const response = await send([request]);
      expect([statusOf(response), bodyOf(response)]).toEqual([200, '']);
    }
  });

  test('a body has at most 64 KiB, with a length or in chunks, and one past it gets 413 while it is still sent', async () => {
    const largest = 'x'.repeat(bodyBytesMax);
    expect(shown(await send([post('/', `Content-Length: ${bodyBytesMax}`), largest]))).toMatchObject({
      bytes: bodyBytesMax,
    });
    expect(shown(await send([post('/', 'Transfer-Encoding: chunked'), chunk(largest), '0\r\n\r\n']))).toMatchObject({
      bytes: bodyBytesMax,
    });
    const declared = await send([post('/', `Content-Length: ${bodyBytesMax + 1}`)]);
    const chunked = await send([post('/', 'Transfer-Encoding: chunked'), chunk(largest), chunk('x'), chunk('y')]);
    for (const response of [declared, chunked]) {
      expect(statusOf(response)).toBe(413);
      expect(headOf(response)).toContain('\r\nconnection: close');
      expect(shown(response)).toMatchObject({ error: 41300 });
      expect(response.isClosed).toBe(true);
    }
  });

  test('an upload that its client aborts is not a request, and the server continues', async () => {
    for (const head of [post('/', 'Content-Length: 100'), `${post('/', 'Transfer-Encoding: chunked')}5\r\nab`]) {
      const { socket } = await open(server.port);
      socket.write(`${head}abc`);
      await untilRead(server.port);
      socket.resetAndDestroy();
    }
    expect(statusOf(await send([get('/')]))).toBe(200);
  });

  test('a connection accepts requests one after the other, and pipelined ones that are answered at once', async () => {
    const response = await send([get('/a'), get('/b'), get('/text?size=1') + get('/nothing?status=204')]);
    expect(response.text.match(/HTTP\/1\.1 20[04]/g)?.length).toBeGreaterThan(2);
    expect(response.text.indexOf('"path":"/b"')).toBeGreaterThan(response.text.indexOf('"path":"/a"'));
  });

  test('Connection: close, and HTTP/1.0, close the connection after the response', async () => {
    const closing = await send([get('/', 'Connection: close')]);
    expect([statusOf(closing), closing.isClosed]).toEqual([200, true]);
    const old = await send(['GET /a HTTP/1.0\r\n\r\n']);
    expect([shown(old), old.isClosed]).toMatchObject([{ path: '/a', host: null, peer: '127.0.0.1' }, true]);
  });

  test('every response has one Date, also to HEAD', async () => {
    for (const path of [
      '/',
      '/text?size=1',
      '/blob?size=1',
      '/pieces?count=1',
      '/nothing?status=204',
      '/nothing?status=304',
      '/throw',
    ]) {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        const response = await send([get(path, 'Connection: close').replace('GET', method)]);
        const dates = [...headOf(response).matchAll(/^date: (.*)$/gm)].map(([, date]) => date);
        expect([method, path, dates]).toEqual([
          method,
          path,
          [expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} gmt/)],
        ]);
      }
    }
  });

  test.each([0, 1, 100_000])(
    'a known body of %d bytes has Content-Length, and HEAD gets the same headers',
    async (size) => {
      for (const path of ['/text', '/bytes', '/blob']) {
        const response = await send([get(`${path}?size=${size}`)]);
        expect(headOf(response)).toContain(`\r\ncontent-length: ${size}`);
        expect(headOf(response)).not.toContain('transfer-encoding');
        expect(bodyOf(response).length).toBe(size);
        const head = await send([get(`${path}?size=${size}`).replace('GET', 'HEAD')]);
        expect(headOf(head)).toContain(`\r\ncontent-length: ${size}`);
        expect(bodyOf(head)).toBe('');
      }
    },
  );

  test.each([204, 304])('a response of %d has no body', async (status) => {
    const response = await send([get(`/nothing?status=${status}`), get('/')]);
    expect(headOf(response)).not.toContain('content-length');
    expect(bodyOf(response)).toStartWith('HTTP/1.1 200');
  });

  test('an exception gets 500 with a body in JSON', async () => {
    expect(shown(await send([get('/throw')]))).toMatchObject({ error: 50000 });
  });

  test('requests, responses and headers have all their members', async () => {
    const response = await send([post('/whole', 'x-tag: a', 'X-Tag: b', 'content-length: 7'), '{"a":1}']);
    expect(headOf(response)).toContain('\r\nx-tag: a, b, x-tag, true true false true');
    expect(bodyOf(response)).toBe('{"a":1}');
  });

  test.each(['a%0d%0aset-cookie:%20a', 'a%00b', 'a%0ab', '%e2%82%ac'])(
    'a header with the value %p is a defect, and the response is none of it',
    async (value) => {
      const response = await send([get(`/split?value=${value}`)]);
      expect(headOf(response)).not.toContain('x-a');
      expect(shown(response)).toMatchObject({ error: 50000 });
    },
  );

  test('a stream is sent in chunks as it is made, and has an end', async () => {
    const response = await send([get('/pieces?count=3')]);
    expect(headOf(response)).toContain('\r\ntransfer-encoding: chunked');
    expect(bodyOf(response)).toEndWith('0\r\n\r\n');
    expect(bodyOf(response).replaceAll(/[\da-f]+\r\n|\r\n/g, '')).toBe('piece 1\npiece 2\npiece 3\n');
  });

  test('a stream that fails has no end', async () => {
    const response = await send([get('/failing')]);
    expect([response.isClosed, response.text.includes('\r\n0\r\n')]).toEqual([true, false]);
  });

  test('HEAD of an endless stream gets the headers at once', async () => {
    const response = await send([get('/endless?size=10').replace('GET', 'HEAD'), get('/')]);
    expect(statusOf(response)).toBe(200);
    expect(bodyOf(response)).toStartWith('HTTP/1.1 200');
  });

  test('a stream is cancelled when its client goes away', async () => {
    const own = await startServer(runtime);
    await using _ = own;
    const { socket, text } = await open(own.port);
    socket.write(get('/endless?size=10'));
    await until(() => text().includes('aaaa'));
    socket.destroy();
    await own.result('cancelled');
  });

  test('a stream has no more pieces than its client has room for', async () => {
    const own = await startServer(runtime);
    await using _ = own;
    const { socket } = await open(own.port);
    socket.write(get('/endless?size=65536'));
    await until(() => socket.bytesRead > 0);
    socket.pause();
    // Beside a client that reads as many pieces as the other one would get in its place.
    const control = await open(own.port);
    control.socket.write(get('/endless?size=10'));
    await until(() => control.text().split('a'.repeat(10)).length > 1000);
    socket.destroy();
    const { cancelled } = await own.result('cancelled');
    // The buffers of the system have a few megabytes.
    expect(cancelled).toBeWithin(1, 200);
  });

  test('two fields of Host or Authorization arrive as one with a comma', async () => {
    const response = await send([get('/', 'Host: b')]);
    expect(shown(response)).toMatchObject({ host: 'localhost, b' });
  });
});

describe.concurrent.each(runtimeNames)('the time limit on %s', (runtime) => {
  /** Bun checks it every four seconds. */
  const droppedWithinMs = 13_500;
  const stalled: [where: string, pieces: string[]][] = [
    ['before its request', ['']],
    ['in its header section', ['GET / HTTP/1.1\r\nHo']],
    ['in a declared body', [post('/', 'Content-Length: 100')]],
    ['in a body that arrives slowly', [post('/', 'Content-Length: 100'), ...'0123456789012345'.split('')]],
    ['in a chunked body', [post('/', 'Transfer-Encoding: chunked') + chunk('a')]],
    ['after its request', [get('/hang')]],
    ['between its requests', [get('/')]],
  ];

  test('a connection that stalls anywhere is closed, and others continue', async () => {
    await using server = await startServer(runtime, { requestSecondsMax: 1 });
    const responses = stalled.map(([, pieces]) => sendRaw(server.port, pieces, { quietMs: 60_000, gapMs: 120 }));
    const dropped = responses.map(idleMs);
    expect((await fetch(server.url)).status).toBe(200);
    for (const [index, response] of (await Promise.all(responses)).entries()) {
      const [where = ''] = stalled[index] ?? [];
      expect([where, response.isClosed]).toEqual([where, true]);
      expectPace(`a request that stalls ${where}`, (await dropped[index]) ?? 0, droppedWithinMs);
      if (where !== 'between its requests') expect(response.text).not.toContain('HTTP/1.1 2');
    }
  });

  test('a request can have no limit, or another one that also ends a connection whose client does not read', async () => {
    await using server = await startServer(runtime, { requestSecondsMax: 1 });
    const [unlimited, old, stuck] = [await open(server.port), await open(server.port), await open(server.port)];
    unlimited.socket.write(get('/endless?size=10&seconds=0'));
    // Without Host.
    old.socket.write('GET /endless?size=10&seconds=0 HTTP/1.0\r\n\r\n');
    stuck.socket.pause().write(get('/endless?size=65536&seconds=1'));
    await server.result('cancelled');
    stuck.socket.resume();
    await until(stuck.isClosed);
    expect([unlimited.isClosed(), old.isClosed()]).toEqual([false, false]);
    unlimited.socket.destroy();
    old.socket.destroy();
  });
});

describe.each(runtimeNames)('a stop on %s', (runtime) => {
  test('responses that have begun are completed under load, and then the port is free', async () => {
    await using server = await startServer(runtime);
    const { port } = server;
    let isStopping = false;
    let [completed, refused] = [0, 0];
    const incomplete: string[] = [];
    const client = async (): Promise<void> => {
      for (;;) {
        const path = ['/text?size=1000', '/slow?ms=20', '/pieces?count=2', '/'][completed % 4] ?? '/';
        const wasStopping = isStopping;
        try {
          const response = await fetch(`http://127.0.0.1:${port}${path}`);
          await response.text();
          completed += 1;
        } catch (error) {
          const code = String(Object(error).code);
          refused += 1;
          if (code !== 'ConnectionRefused' && !wasStopping) incomplete.push(code);
          if (isStopping) return;
        }
      }
    };
    const clients = Array.from({ length: 16 }, client);
    const long = fetch(`http://127.0.0.1:${port}/pieces?count=50`).then((response) => response.text());
    await until(() => completed > 200);
    isStopping = true;
    server.send({ stop: { delayMs: 100, graceMs: 5000 } });
    await server.result('stopped');
    await Promise.all(clients);
    expect(incomplete).toEqual([]);
    expect(refused).toBe(16);
    expect((await long).endsWith('piece 50\n')).toBe(true);
    const next = createServer();
    await new Promise<void>((resolve, reject) => next.on('error', reject).listen(port, '127.0.0.1', resolve));
    next.close();
    server.end();
    expect(await server.exited).toBe(0);
  });

  test('a stop does not wait for idle connections', async () => {
    await using server = await startServer(runtime);
    const [used, unused] = [await open(server.port), await open(server.port)];
    used.socket.write(get('/'));
    await until(() => used.text() !== '');
    // Longer than the time limit of the test.
    server.send({ stop: { graceMs: 3_600_000 } });
    await server.result('stopped');
    await until(used.isClosed);
    unused.socket.destroy();
  });

  test('requests that arrive on new connections while the process is busy get responses', async () => {
    await using server = await startServer(runtime);
    const { port } = server;
    const busy = await open(port);
    server.send({ stop: { delayMs: 100, graceMs: 5000 } });
    busy.socket.write(get('/busy?ms=500'));
    await server.result('busy');
    const connections = await Promise.all(Array.from({ length: 8 }, () => open(port)));
    for (const { socket } of connections) socket.write(get('/'));
    await server.result('stopped');
    await until(() => connections.every(({ isClosed }) => isClosed()));
    expect(connections.map(({ text }) => text().slice(0, 12))).toEqual(connections.map(() => 'HTTP/1.1 200'));
  });

  test('a stop waits for what has begun to arrive, and cuts off the rest after its limit', async () => {
    await using server = await startServer(runtime);
    const [partial, hanging] = [await open(server.port), await open(server.port)];
    hanging.socket.write(get('/hang'));
    await server.result('hanging');
    partial.socket.write('GET / HTTP/1.1\r\nHo');
    await untilRead(server.port);
    server.send({ stop: { graceMs: 3000 } });
    await until(() =>
      open(server.port).then(
        ({ socket }) => socket.destroy() === undefined,
        () => true,
      ),
    );
    partial.socket.write('st: a\r\n\r\n');
    await until(partial.isClosed);
    expect(partial.text()).toStartWith('HTTP/1.1 200');
    expect(partial.text().toLowerCase()).toContain('\r\nconnection: close');
    expect(hanging.isClosed()).toBe(false);
    await server.result('stopped');
    await until(hanging.isClosed);
    expect(hanging.text()).toBe('');
  });

  test('a port in use, an unknown host and an address of another machine are refused with a message', async () => {
    await using server = await startServer(runtime);
    const refusals: [options: object, message: string][] = [
      [
        { port: server.port },
        `Cannot listen on 127.0.0.1, port ${server.port}: it is in use; port 0 picks a free one.`,
      ],
      [{ host: 'nowhere.invalid' }, 'Cannot listen on nowhere.invalid, port 0: the host is unknown.'],
      [{ host: '192.0.2.1' }, 'Cannot listen on 192.0.2.1, port 0: this machine does not have the address.'],
    ];
    for (const [options, message] of refusals) {
      server.send({ listen: { host: '127.0.0.1', port: 0, ...options } });
      expect(await server.result('failed', message)).toEqual({ failed: message });
    }
  });
});
