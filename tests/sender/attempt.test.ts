/** One attempt over real sockets: the request at the receiver, and the outcome. */
import { heapStats } from 'bun:jsc';
import { describe, expect, setSystemTime, spyOn, test } from 'bun:test';
import { createServer, type Server, type Socket } from 'node:net';
import { runtime } from '#runtime';
import { excerptLengthMax } from '../../src/deliveries/delivery.ts';
import { createPost, type PostOptions } from '../../src/sender/attempt.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { createReceiver, readReceiverTls, taken } from '../support/webhooks/receiver.ts';

const body = '{"type":"webhook.test"}';

/** Sends a message to the URL. By default, private addresses are allowed. */
const send = (url: string, options: Partial<PostOptions> = {}, signal = new AbortController().signal) =>
  createPost({ allowPrivate: true, ...options })({ url, headers: { 'webhook-id': 'evt_1_x' }, body }, signal);

/** A TCP server. `handle` gets each connection. */
const createRawServer = async (handle: (socket: Socket) => void, host = '127.0.0.1', port = 0) => {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    handle(socket);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(port, host, resolve);
  await promise;
  const address = server.address();
  const bound = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}/`,
    connections: () => connections,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

test('the outcome of a success has its time, its duration and its status', async () => {
  using receiver = createReceiver();
  expect(await send(receiver.url)).toEqual({
    attempt: { at: expect.stringMatching(/Z$/), durationMs: expect.any(Number), status: 204 },
  });
});

describe('a response', () => {
  test.each([200, 201, 202, 204, 299])(
    'a response of %d is a success, and its body is not recorded',
    async (status) => {
      using receiver = createReceiver(() => new Response(status === 204 ? null : 'thanks', { status }));
      const { attempt } = await send(receiver.url);
      expect(attempt.status).toBe(status);
      expect(attempt.excerpt).toBeUndefined();
    },
  );

  test.each([301, 302, 303, 307, 308])(
    'a redirect of %d is not followed, and its target is recorded',
    async (status) => {
      using elsewhere = createReceiver();
      using receiver = createReceiver(() => new Response(null, { status, headers: { location: elsewhere.url } }));
      expect((await send(receiver.url)).attempt).toMatchObject({ status, location: elsewhere.url });
      expect(elsewhere.received).toEqual([]);
    },
  );

  test.each([
    [301, '/moved/?a=b', (origin: string) => `${origin}/moved/?a=b`],
    [301, '//other.example.com', (origin: string) => `${new URL(origin).protocol}//other.example.com/`],
    [301, `/${'a'.repeat(300)}`, (origin: string) => `${origin}/${'a'.repeat(300)}`.slice(0, excerptLengthMax)],
    [301, 'http://[', undefined],
    [201, '/created', undefined],
    [500, '/moved', undefined],
  ])('a response of %d with the Location %s has its own target', async (status, location, expected) => {
    using receiver = createReceiver(() => new Response(null, { status, headers: { location } }));
    const { attempt } = await send(`${receiver.url}hook`);
    expect(attempt.location).toBe(expected?.(new URL(receiver.url).origin));
  });

  test('the beginning of the body of an error response is recorded', async () => {
    using receiver = createReceiver(() => new Response('🌱'.repeat(5000), { status: 500 }));
    const { attempt } = await send(receiver.url);
    expect(attempt).toMatchObject({ status: 500, excerpt: '🌱'.repeat(200) });
  });

  test('an endless response is aborted, and its status is the outcome', async () => {
    const endless = () =>
      new ReadableStream({
        pull: (controller) => {
          controller.enqueue(new Uint8Array(65_536).fill(97));
        },
      });
    using receiver = createReceiver((_received, count) => new Response(endless(), { status: count === 0 ? 200 : 500 }));
    expect((await send(receiver.url)).attempt).toMatchObject({ status: 200 });
    expect((await send(receiver.url)).attempt).toMatchObject({ status: 500, excerpt: 'a'.repeat(200) });
  });

  test.each([
    [429, '7', 7000],
    [503, '7', 7000],
    [503, 'soon', undefined],
    [503, '-7', undefined],
    [503, '', undefined],
    [500, '7', undefined],
    [301, '7', undefined],
    [503, 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    [503, 'Wednesday, 21-Oct-15 07:28:00 GMT', 0],
    [503, 'Wed Oct 21 07:28:00 2015', 0],
    [503, 'Wed, 21 Oct 2015', undefined],
  ])('a response of %d with Retry-After: %s requests a delay of %p ms', async (status, value, expected) => {
    using receiver = createReceiver(() => new Response(null, { status, headers: { 'retry-after': value } }));
    expect((await send(receiver.url)).retryAfterMs).toBe(expected);
  });

  test('a response can request a delay until a date', async () => {
    const date = new Date('2026-01-01T00:01:00Z').toUTCString();
    using receiver = createReceiver(() => new Response(null, { status: 503, headers: { 'retry-after': date } }));
    setSystemTime(new Date('2026-01-01T00:00:00Z'));
    const { retryAfterMs } = await send(receiver.url);
    setSystemTime();
    expect(retryAfterMs).toBe(60_000);
  });
});

describe('a failed attempt', () => {
  test('the outcome is `timeout` if the receiver accepts the request and hangs', async () => {
    using server = await createRawServer(() => {});
    const { attempt } = await send(server.url, { timeoutMs: 100 });
    expect(attempt).toMatchObject({ failure: 'timeout' });
    expect(attempt.status).toBeUndefined();
    expect(attempt.durationMs).toBeGreaterThanOrEqual(99);
  });

  test('the outcome is `timeout` at the time limit even if the runtime does not end the request', async () => {
    using posting = spyOn(runtime, 'post').mockReturnValue(new Promise(() => {}));
    expect((await send('http://127.0.0.1/', { timeoutMs: 50 })).attempt.failure).toBe('timeout');
    expect(posting).toHaveBeenCalledTimes(1);
  });

  test('the outcome is a failure if the receiver sends its header section a byte at a time', async () => {
    using server = await createRawServer((socket) => {
      const timer = setInterval(() => socket.write('H'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const { attempt } = await send(server.url, { timeoutMs: 200 });
    expect(attempt.status).toBeUndefined();
    expect(['timeout', 'connection']).toContain(attempt.failure ?? '');
  });

  test('the outcome is `unresolved` for a name without an address, and `timeout` for a hanging look-up', async () => {
    const none = { lookUp: () => Promise.resolve([]) };
    const failing = { lookUp: () => Promise.reject(new Error('no')) };
    const hanging = { lookUp: () => new Promise<never>(() => {}), timeoutMs: 50 };
    expect((await send('http://a.test/', none)).attempt.failure).toBe('unresolved');
    expect((await send('http://a.test/', failing)).attempt.failure).toBe('unresolved');
    expect((await send('http://a.test/', hanging)).attempt.failure).toBe('timeout');
    expect((await send('http://nowhere.invalid/')).attempt.failure).toBe('unresolved');
  });

  test('the outcome is `connection` if the receiver closes the connection or does not exist', async () => {
    const { url, port } = await (async () => {
      using server = await createRawServer((socket) => socket.destroy());
      expect((await send(server.url)).attempt.failure).toBe('connection');
      return server;
    })();
    expect(port).toBeGreaterThan(0);
    expect((await send(url)).attempt.failure).toBe('connection');
  });

  test('the outcome is `connection` if the receiver uses another protocol', async () => {
    using server = await createRawServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n'));
    expect((await send(server.url)).attempt.failure).toBe('connection');
  });

  test('an aborted attempt rejects with the reason', async () => {
    using server = await createRawServer(() => {});
    const aborter = new AbortController();
    const sending = send(server.url, {}, aborter.signal);
    aborter.abort(new Error('stopped by the test'));
    await expect(sending).rejects.toThrow('stopped by the test');
    const lookUp = () => new Promise<never>(() => {});
    await expect(send('http://a.test/', { lookUp }, aborter.signal)).rejects.toThrow('stopped by the test');
  });

  test('nothing of an ended attempt stays in memory while the service runs', async () => {
    using receiver = createReceiver();
    const { signal } = new AbortController();
    const signals = (): number => heapStats().objectTypeCounts['AbortSignal'] ?? 0;
    const before = signals();
    for (let attempt = 0; attempt < 500; attempt += 1) await send(receiver.url, {}, signal);
    Bun.gc(true);
    expect(signals() - before).toBeLessThan(100);
  });
});

describe('over TLS', async () => {
  const tls = await readReceiverTls();
  const local = { lookUp: async () => ['127.0.0.1'], allowPrivate: false, isPublic: () => true, ca: tls.cert };

  test('over TLS, the connection is made to the checked address, and the certificate must match the name', async () => {
    using receiver = createReceiver(taken, 0, tls);
    expect((await send(`https://receiver.example.com:${receiver.port}/`, local)).attempt.status).toBe(204);
    expect(receiver.received.map(({ headers }) => headers['host'])).toEqual([`receiver.example.com:${receiver.port}`]);
  });

  test('a certificate for another name or from an unknown authority is refused', async () => {
    using receiver = createReceiver(taken, 0, tls);
    const url = (host: string): string => `https://${host}:${receiver.port}/`;
    expect((await send(url('receiver.example.com'), local)).attempt.status).toBe(204);
    expect((await send(url('other.example.com'), local)).attempt.failure).toBe('tls');
    expect((await send(url('127.0.0.1'), { ...local, allowPrivate: true })).attempt.failure).toBe('tls');
    const { ca: _, ...unknown } = local;
    expect((await send(url('receiver.example.com'), unknown)).attempt.failure).toBe('tls');
    expect(receiver.received).toHaveLength(1);
  });
});

describe('addresses', () => {
  test('the addresses of a name are tried one after the other until a connection is made', async () => {
    using receiver = createReceiver();
    const lookUp = async () => ['::1', '127.0.0.2', '127.0.0.1'];
    expect((await send(`http://a.test:${receiver.port}/`, { lookUp })).attempt.status).toBe(204);
  });

  test('no other address is tried after one has received the request', async () => {
    using server = await createRawServer((socket) => socket.once('data', () => socket.destroy()), '0.0.0.0');
    const lookUp = async () => ['127.0.0.1', '127.0.0.2'];
    expect((await send(`http://a.test:${server.port}/`, { lookUp })).attempt.failure).toBe('connection');
    expect(server.connections()).toBe(1);
  });

  test('all addresses come from one look-up, so another response from DNS has no effect', async () => {
    using server = await createRawServer(() => {});
    let times = 0;
    const lookUp = async () => {
      times += 1;
      return times === 1 ? ['198.51.100.1'] : ['127.0.0.1'];
    };
    const isPublic = (address: string) => address === '198.51.100.1';
    const url = `https://rebinding.example.com:${server.port}/`;
    await send(url, { allowPrivate: false, lookUp, isPublic, timeoutMs: 100 });
    expect(times).toBe(1);
    expect(server.connections()).toBe(0);
    expect((await send(url, { allowPrivate: false, lookUp, isPublic })).attempt.failure).toBe('not_public');
    expect(server.connections()).toBe(0);
  });

  linuxTest('of the addresses of a name, only the public ones are tried', async () => {
    using receiver = createReceiver();
    using other = await createRawServer(() => {}, '127.0.0.2', receiver.port);
    const lookUp = async () => ['127.0.0.2', '127.0.0.1'];
    const isPublic = (address: string) => address === '127.0.0.1';
    const options = { allowPrivate: false, lookUp, isPublic, timeoutMs: 60_000 };
    const { attempt } = await send(`https://both.example.com:${receiver.port}/`, options);
    // The public address was reached. It does not support TLS.
    expect(['tls', 'connection']).toContain(attempt.failure ?? '');
    expect(other.connections()).toBe(0);
    await send(`https://both.example.com:${receiver.port}/`, { ...options, isPublic: () => true, timeoutMs: 1000 });
    expect(other.connections()).toBe(1);
  });
});
