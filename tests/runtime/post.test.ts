/** Attempts on each runtime, over real sockets: what `src/sender/attempt.ts` promises. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { excerptLengthMax } from '../../src/deliveries/delivery.ts';
import { connectMsMax, slowMs } from '../../src/sender/addresses.ts';
import { responseBytesMax, responseMsMax } from '../../src/sender/attempt.ts';
import { freePort } from '../support/network/port.ts';
import { startRaw } from '../support/network/raw-server.ts';
import { startSilentAddress } from '../support/network/silent-address.ts';
import { expectPace, idleMs } from '../support/pace.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { messageBody, type SenderOn, startSenderOn } from '../support/programs/sender-on.ts';
import { createReceiver, readReceiverTls, taken } from '../support/webhooks/receiver.ts';
import { answer } from './receivers.ts';

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

describe.each(runtimeNames)('on %s', (runtime) => {
  let sender: SenderOn;
  beforeAll(async () => {
    sender = startSenderOn(runtime, { env: await deadProxy() });
  });
  afterAll(() => sender[Symbol.asyncDispose]());

  const send: SenderOn['sendMessage'] = (...args) => sender.sendMessage(...args);
  const attempt: SenderOn['attempt'] = (...args) => sender.attempt(...args);

  test('the receiver gets a POST with the body, the headers and its name in Host', async () => {
    using receiver = createReceiver();
    expect(await attempt(`http://receiver.test:${receiver.port}/hook?a=b%20c#fragment`)).toMatchObject({ status: 204 });
    const [one] = receiver.received;
    expect(one).toMatchObject({ path: '/hook?a=b%20c', body: messageBody });
    expect(one?.headers).toMatchObject({
      'webhook-id': 'evt_1_x',
      'user-agent': 'plant-store',
      'content-length': `${messageBody.length}`,
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
    expect(await send(receiver.url)).toMatchObject({ attempt: { status: 307, location: elsewhere.url } });
    expect(elsewhere.received).toEqual([]);
  });

  test('a response of 503 with Retry-After requests a delay', async () => {
    using receiver = createReceiver(() => new Response('no', { status: 503, headers: { 'retry-after': '7' } }));
    expect(await send(receiver.url)).toMatchObject({ attempt: { status: 503, excerpt: 'no' }, retryAfterMs: 7000 });
  });

  test('a compressed response is not decompressed', async () => {
    const bomb = Bun.gzipSync(new Uint8Array(10_000_000));
    using receiver = createReceiver(() => new Response(bomb, { status: 500, headers: { 'content-encoding': 'gzip' } }));
    const { status, excerpt } = Object(await attempt(receiver.url));
    expect(status).toBe(500);
    expect(excerpt).toStartWith('\u001f');
    expect([...excerpt].length).toBeLessThanOrEqual(excerptLengthMax);
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
    expect(await attempt(`http://a.test:${server.port}/`, { timeoutMs: 500 })).toMatchObject({ status: 200 });
    // If it were read until the time limit, it would not end during the test.
    const { status, durationMs } = Object(await attempt(`http://a.test:${server.port}/`, { timeoutMs: 3_600_000 }));
    expect(status).toBe(200);
    expect(durationMs).toBeGreaterThan(responseMsMax - 50);
  });

  test('the time limit includes the response, and a stop aborts an attempt', async () => {
    using server = await startRaw(() => {});
    const url = `http://a.test:${server.port}/`;
    expect(await attempt(url, { timeoutMs: 100 })).toMatchObject({ failure: 'timeout' });
    expect(await send(url, { stopMs: 100 })).toEqual({ rejected: 'TimeoutError' });
    await server.closed();
  });

  test('the addresses of a name are tried until a connection is made, and no name is looked up twice', async () => {
    using receiver = createReceiver();
    const url = `http://a.test:${receiver.port}/`;
    expect(await attempt(url, { addresses: ['::1', '127.0.0.2', '127.0.0.1'] })).toMatchObject({ status: 204 });
    expect(await attempt(url, { addresses: [] })).toMatchObject({ failure: 'unresolved' });
    expect(await attempt(url, { addresses: ['::1', '127.0.0.2'] })).toMatchObject({ failure: 'connection' });
    expect(receiver.received).toHaveLength(1);
  });

  linuxTest('the next address is used if one accepts no connection, and is the first one from then on', async () => {
    using receiver = createReceiver();
    using _silent = await startSilentAddress('127.0.0.2', receiver.port);
    const options = { addresses: ['127.0.0.2', '127.0.0.3', '127.0.0.1'] };
    const first = Object(await attempt(`http://a.test:${receiver.port}/`, options));
    const second = Object(await attempt(`http://a.test:${receiver.port}/`, options));
    expect([first, second]).toMatchObject([{ status: 204 }, { status: 204 }]);
    expect(receiver.received).toHaveLength(2);
    // Only the first one has tried the silent address.
    expect(second.durationMs).toBeLessThan(first.durationMs / 2);
  });

  test('no other address is used if a slow one accepts connections', async () => {
    let requests = 0;
    using server = await startRaw(
      (socket) =>
        socket.once('data', () => {
          requests += 1;
          setTimeout(() => socket.write(answer), slowMs + connectMsMax + 500);
        }),
      '0.0.0.0',
    );
    const options = { addresses: ['127.0.0.1', '127.0.0.2'] };
    expect(await attempt(`http://a.test:${server.port}/`, options)).toMatchObject({ status: 200 });
    expect(requests).toBe(1);
    expect(server.sockets.length).toBeGreaterThan(1);
  });

  test('only a public address is connected to', async () => {
    using server = await startRaw(() => {});
    const url = `https://both.example.com:${server.port}/`;
    const options = { allowPrivate: false, addresses: ['127.0.0.1', '127.0.0.2'], public: ['127.0.0.2'] };
    expect(await attempt(url, options)).toMatchObject({ failure: 'connection' });
    expect(await attempt(url, { ...options, public: [] })).toMatchObject({ failure: 'not_public' });
    expect(server.sockets).toHaveLength(0);
  });

  test('a name that has another address at the connection is not looked up again', async () => {
    // The system finds this machine for this name.
    using server = await startRaw(() => {});
    const url = `http://localhost:${server.port}/`;
    expect(await attempt(url, { addresses: ['127.0.0.2'] })).toMatchObject({ failure: 'connection' });
    expect(server.sockets).toHaveLength(0);
  });

  test('a kept connection is not used once its name has no public address', async () => {
    const tls = await readReceiverTls();
    using receiver = createReceiver(taken, 0, tls);
    const url = `https://receiver.example.com:${receiver.port}/`;
    const options = { ca: tls.cert, allowPrivate: false, public: ['127.0.0.1'] };
    expect(await attempt(url, options)).toMatchObject({ status: 204 });
    expect(await attempt(url, { ...options, addresses: ['127.0.0.2'] })).toMatchObject({ failure: 'not_public' });
    const both = { ...options, addresses: ['127.0.0.2'], public: ['127.0.0.1', '127.0.0.2'] };
    expect(await attempt(url, both)).toMatchObject({ failure: 'connection' });
    expect(receiver.received).toHaveLength(1);
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
  await using sender = startSenderOn(runtime);
  await sender.attempt(receiver.url);
  sender.end();
  expectPace('the end', await idleMs(sender.exited), 4000);
  expect(await sender.exited).toBe(0);
});
