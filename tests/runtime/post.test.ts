/** Attempts on each runtime, over real sockets: what `src/webhooks/attempt.ts` promises. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createServer, type Socket } from 'node:net';
import { responseBytesMax, responseMsMax } from '../../src/webhooks/attempt.ts';
import { freePort } from '../support/port.ts';
import { type ProgramOn, startOn } from '../support/program-on.ts';
import { createReceiver, readReceiverTls, taken } from '../support/receiver.ts';
import { runtimeNames } from '../support/runtimes.ts';
import type { PostCommand } from './post-program.ts';

/** Settings of a proxy that does not exist. No attempt may use it. */
const deadProxy = async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  return {
    HTTP_PROXY: url,
    http_proxy: url,
    HTTPS_PROXY: url,
    https_proxy: url,
    NODE_USE_ENV_PROXY: '1',
    NO_PROXY: '',
  };
};

const body = '{"type":"webhook.test"}';

/** A TCP server. `handle` gets each connection, and its number from 0. */
const startRaw = async (handle: (socket: Socket, index: number) => void) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    handle(socket, sockets.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    sockets,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

describe.each(runtimeNames)('on %s', (runtime) => {
  let program: ProgramOn;
  let count = 0;
  beforeAll(async () => {
    program = startOn(runtime, 'post-program.ts', await deadProxy());
  });
  afterAll(() => program[Symbol.asyncDispose]());

  /** Makes an attempt. By default, every name is that of this machine, and private addresses are allowed. */
  const send = async (url: string, options: Partial<PostCommand> = {}): Promise<Record<string, unknown>> => {
    count += 1;
    const id = count;
    const headers = { 'webhook-id': 'evt_1_x', 'user-agent': 'plant-store' };
    program.send({ id, url, headers, body, allowPrivate: true, addresses: ['127.0.0.1'], ...options });
    const { outcome } = await program.result('id', id);
    return Object(outcome);
  };
  const attempt = async (url: string, options?: Partial<PostCommand>): Promise<unknown> =>
    (await send(url, options))['attempt'];

  test('the receiver gets a POST with the body, the headers and its name in Host', async () => {
    using receiver = createReceiver();
    expect(await attempt(`http://receiver.test:${receiver.port}/hook?a=b%20c#fragment`)).toMatchObject({ status: 204 });
    const [one] = receiver.received;
    expect(one).toMatchObject({ path: '/hook?a=b%20c', body });
    expect(one?.headers).toMatchObject({
      'webhook-id': 'evt_1_x',
      'user-agent': 'plant-store',
      'content-length': `${body.length}`,
      host: `receiver.test:${receiver.port}`,
    });
  });

  test('messages one after the other use one connection', async () => {
    using server = await startRaw((socket) =>
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')),
    );
    for (let message = 0; message < 3; message += 1)
      expect(await attempt(`http://a.test:${server.port}/`)).toMatchObject({ status: 200 });
    expect(server.sockets).toHaveLength(1);
  });

  test('a connection that its receiver has closed is not used again', async () => {
    using server = await startRaw((socket) =>
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')),
    );
    for (let message = 0; message < 3; message += 1) {
      expect(await attempt(`http://a.test:${server.port}/`)).toMatchObject({ status: 200 });
      const socket = server.sockets[message];
      if (socket && !socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
    }
    expect(server.sockets).toHaveLength(3);
  });

  test('a redirect is not followed, and its Retry-After is not read', async () => {
    using elsewhere = createReceiver();
    using receiver = createReceiver(
      () => new Response(null, { status: 307, headers: { location: elsewhere.url, 'retry-after': '7' } }),
    );
    expect(await send(receiver.url)).toMatchObject({ attempt: { status: 307 } });
    expect(elsewhere.received).toEqual([]);
  });

  test('a response of 503 with Retry-After requests a delay', async () => {
    using receiver = createReceiver(() => new Response('no', { status: 503, headers: { 'retry-after': '7' } }));
    expect(await send(receiver.url)).toMatchObject({ attempt: { status: 503, excerpt: 'no' }, retryAfterMs: 7000 });
  });

  test('a compressed response is not decompressed', async () => {
    const bomb = Bun.gzipSync(new Uint8Array(10_000_000));
    using receiver = createReceiver(() => new Response(bomb, { status: 500, headers: { 'content-encoding': 'gzip' } }));
    expect(await attempt(receiver.url)).toMatchObject({ status: 500, excerpt: expect.stringContaining('\u001f') });
  });

  test('of an endless response, only the beginning is read, and its connection is closed', async () => {
    let written = 0;
    using server = await startRaw((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 500 Oh\r\n\r\n');
        const piece = 'a'.repeat(65_536);
        const more = (): void => {
          while (!socket.destroyed && socket.write(piece)) written += piece.length;
        };
        socket.on('drain', more);
        more();
      });
    });
    expect(await attempt(`http://a.test:${server.port}/`)).toMatchObject({ status: 500, excerpt: 'a'.repeat(200) });
    const [socket] = server.sockets;
    if (socket && !socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
    expect(written).toBeLessThan(1000 * responseBytesMax);
  });

  test('the outcome of a response whose body stalls is its status', async () => {
    using server = await startRaw((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab'));
    const { status, durationMs } = Object(await attempt(`http://a.test:${server.port}/`));
    expect(status).toBe(200);
    expect(durationMs).toBeWithin(responseMsMax - 50, 4 * responseMsMax);
  });

  test('the time limit includes the response, and a stop aborts an attempt', async () => {
    using server = await startRaw(() => {});
    const url = `http://a.test:${server.port}/`;
    expect(await attempt(url, { timeoutMs: 100 })).toMatchObject({ failure: 'timeout' });
    expect(await send(url, { stopMs: 100 })).toEqual({ rejected: 'TimeoutError' });
    for (const socket of server.sockets)
      if (!socket.destroyed) await new Promise((resolve) => socket.resume().once('close', resolve));
  });

  test.each<[what: string, handle: (socket: Socket) => void]>([
    ['closes the connection', (socket) => socket.destroy()],
    ['closes it after the request', (socket) => socket.once('data', () => socket.destroy())],
    ['uses another protocol', (socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n')],
    ['sends an endless header section', (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}`)],
  ])('the outcome is `connection` if the receiver %s', async (_what, handle) => {
    using server = await startRaw(handle);
    expect(await attempt(`http://a.test:${server.port}/`)).toMatchObject({ failure: 'connection' });
    expect(server.sockets).toHaveLength(1);
  });

  test('the addresses of a name are tried until a connection is made, and no name is looked up twice', async () => {
    using receiver = createReceiver();
    const url = `http://a.test:${receiver.port}/`;
    expect(await attempt(url, { addresses: ['::1', '127.0.0.2', '127.0.0.1'] })).toMatchObject({ status: 204 });
    expect(await attempt(url, { addresses: [] })).toMatchObject({ failure: 'unresolved' });
    expect(await attempt(url, { addresses: ['::1', '127.0.0.2'] })).toMatchObject({ failure: 'connection' });
    expect(receiver.received).toHaveLength(1);
  });

  test('only a public address is connected to', async () => {
    using server = await startRaw(() => {});
    const url = `https://both.example.com:${server.port}/`;
    const options = { allowPrivate: false, addresses: ['127.0.0.1', '127.0.0.2'], public: ['127.0.0.2'] };
    expect(await attempt(url, options)).toMatchObject({ failure: 'connection' });
    expect(await attempt(url, { ...options, public: [] })).toMatchObject({ failure: 'not_public' });
    expect(server.sockets).toHaveLength(0);
  });

  test('over TLS, the certificate must be for the name, and from a known authority', async () => {
    const tls = await readReceiverTls();
    using receiver = createReceiver(taken, 0, tls);
    const url = (host: string): string => `https://${host}:${receiver.port}/`;
    const good = { ca: tls.cert, allowPrivate: false, public: ['127.0.0.1'] };
    expect(await attempt(url('receiver.example.com'), good)).toMatchObject({ status: 204 });
    expect(await attempt(url('receiver.example.com'), good)).toMatchObject({ status: 204 });
    expect(await attempt(url('other.example.com'), good)).toMatchObject({ failure: 'tls' });
    expect(await attempt(url('127.0.0.1'), { ca: tls.cert })).toMatchObject({ failure: 'tls' });
    const { ca: _, ...unknown } = good;
    expect(await attempt(url('receiver.example.com'), unknown)).toMatchObject({ failure: 'tls' });
    const host = `receiver.example.com:${receiver.port}`;
    expect(receiver.received.map(({ headers }) => headers['host'])).toEqual([host, host]);
  });
});

test.each(runtimeNames)('%s ends without waiting for kept connections and time limits', async (runtime) => {
  using receiver = createReceiver();
  await using program = startOn(runtime, 'post-program.ts');
  program.send({ id: 1, url: receiver.url, headers: {}, body, allowPrivate: true });
  await program.result('id', 1);
  const startedAtMs = performance.now();
  program.end();
  expect(await program.exited).toBe(0);
  expect(performance.now() - startedAtMs).toBeLessThan(4000);
});
