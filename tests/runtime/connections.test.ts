/** Connections whose clients do not wait, disconnect, or send and read slowly, on each runtime. */
import { describe, expect, test } from 'bun:test';
import { requestsPerTurn } from '../../src/http/server.ts';
import { descriptors, peakMemoryMebibytes } from '../faults/support/usage.ts';
import { countConnections, message, open } from '../support/network/connection.ts';
import { expectPace } from '../support/pace.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { startServer } from '../support/programs/server-on.ts';
import { until } from '../support/until.ts';

const get = (path: string, ...headers: string[]): string => message('GET', path, ...headers);
const post = (path: string, ...headers: string[]): string => message('POST', path, ...headers);

/** The requests that a server has begun, and those in progress. */
const readCounts = async (url: string) =>
  (await (await fetch(`${url}/counts`)).json()) as { readonly begun: number; readonly active: number };

describe.each(runtimeNames)('on %s', (runtime) => {
  test('a connection that sends 4 MB of requests at once is closed, and few of them run', async () => {
    await using server = await startServer(runtime);
    const { socket, isClosed } = await open(server.port);
    socket.write(get('/text?size=1').repeat(80_000));
    await until(isClosed);
    expect((await readCounts(server.url)).begun).toBeWithin(1, requestsPerTurn + 1);
  });

  test('requests that wait do not run after their client has disconnected', async () => {
    await using server = await startServer(runtime);
    const { socket } = await open(server.port);
    socket.write(get('/held') + get('/').repeat(9));
    await until(async () => (await readCounts(server.url)).active > 0);
    socket.destroy();
    // The server has read the disconnection when it responds to a later request.
    await readCounts(server.url);
    server.send({ release: true });
    await until(async () => (await readCounts(server.url)).active === 0);
    expect((await readCounts(server.url)).begun).toBe(1);
  });

  test.each([
    ['a length', 'Content-Length: 100', 'abc'],
    ['chunks', 'Transfer-Encoding: chunked', '64\r\nabc'],
  ])('a request with %s ends when its client disconnects within its body', async (_what, header, part) => {
    await using server = await startServer(runtime);
    for (const path of ['/', '/late?ms=100']) {
      const clients = await Promise.all(Array.from({ length: 20 }, () => open(server.port)));
      for (const { socket } of clients) socket.write(post(path, header) + part);
      await until(async () => (await readCounts(server.url)).active === 20);
      for (const [index, { socket }] of clients.entries())
        if (index % 2 === 0) socket.destroy();
        else socket.resetAndDestroy();
      await until(async () => (await readCounts(server.url)).active === 0);
    }
  });

  test('a response is pending until the system has accepted all of it, or its client has disconnected', async () => {
    await using server = await startServer(runtime);
    const pending = async (): Promise<unknown> =>
      ((await (await fetch(`${server.url}/pending`)).json()) as { pending: unknown }).pending;
    const size = 2 ** 25;
    const [gone, late] = [await open(server.port), await open(server.port)];
    gone.socket.pause().write(get(`/kept?size=${size}`));
    await until(async () => Bun.deepEquals(await pending(), [true]));
    late.socket.pause().write(get(`/kept?size=${size}`));
    await until(async () => Bun.deepEquals(await pending(), [true, true]));
    late.socket.resume();
    await until(() => late.socket.bytesRead > size);
    await until(async () => Bun.deepEquals(await pending(), [true, false]));
    // The next request of the same connection is another one.
    late.socket.pause().write(get(`/kept?size=${size}`));
    await until(async () => Bun.deepEquals(await pending(), [true, false, true]));
    gone.socket.destroy();
    await until(async () => Bun.deepEquals(await pending(), [false, false, true]));
    late.socket.destroy();
    await until(async () => Bun.deepEquals(await pending(), [false, false, false]));
  });

  test('a stream is cancelled if its client has disconnected before it begins', async () => {
    await using server = await startServer(runtime);
    const { socket } = await open(server.port);
    socket.write(get('/late-stream?ms=200'));
    await until(async () => (await readCounts(server.url)).active === 1);
    socket.destroy();
    await server.result('cancelled');
  });

  test('what follows malformed bytes reaches no other connection', async () => {
    await using server = await startServer(runtime);
    const malformed = await open(server.port, { allowHalfOpen: true });
    malformed.socket.write('malformed\r\n\r\n');
    await until(() => malformed.text().endsWith('\r\n\r\n'));
    const other = await open(server.port);
    other.socket.write(get('/first'));
    await until(() => other.text().includes('"path":"/first"'));
    malformed.socket.write(get('/stolen'));
    await readCounts(server.url);
    malformed.socket.write(get('/stolen'));
    await readCounts(server.url);
    other.socket.write(get('/second'));
    await until(() => other.text().includes('"path":"/second"') || other.isClosed());
    expect(other.text()).not.toContain('stolen');
    expect(other.text()).toContain('"path":"/second"');
    malformed.socket.destroy();
    other.socket.destroy();
  });
});

/** Bun closes a connection with a request behind one that waits. */
test.each(runtimeNames.filter((name) => name !== 'bun'))(
  'on %s, a request begins after the response to the one before it',
  async (runtime) => {
    await using server = await startServer(runtime);
    const { socket, text } = await open(server.port);
    socket.write(`${post('/late?ms=100', 'Content-Length: 3')}abc${get('/counts')}`);
    await until(() => text().includes('"active"'));
    expect(text()).toContain('"body":"abc"');
    expect(text()).toContain('"active":0');
    socket.destroy();
  },
);

describe.concurrent.each(runtimeNames)('the time limit on %s', (runtime) => {
  /** Bun checks it every four seconds. */
  const requestSecondsMax = runtime === 'bun' ? 8 : 3;

  /** Writes a piece until the connection is closed. */
  const drip = async (port: number, head: string, piece: string): Promise<string> => {
    const { socket, text, isClosed } = await open(port);
    socket.write(head);
    while (!isClosed()) {
      await Bun.sleep(100);
      if (!socket.destroyed) socket.write(piece);
    }
    return text();
  };

  test('a connection is closed whose body nobody reads, or that sends only empty lines, however slowly', async () => {
    await using server = await startServer(runtime, { requestSecondsMax });
    const path = '/text?size=1';
    const responses = await Promise.all([
      drip(server.port, post(path, 'Content-Length: 100000'), 'a'),
      drip(server.port, post(path, 'Transfer-Encoding: chunked'), '1\r\na\r\n'),
      drip(server.port, get(path), '\r\n'),
    ]);
    for (const response of responses) expect(response).toStartWith('HTTP/1.1 200');
  });

  linuxTest(
    'a client that reads steadily gets all of a response, however long it takes, and one that stalls is closed',
    async () => {
      await using server = await startServer(runtime, { requestSecondsMax });
      // More than is read until the time limit.
      const size = 1000 * bytesPerMs * (runtime === 'bun' ? 8 : 4);
      const stalled = await open(server.port);
      stalled.socket.pause().write(get(`/bytes?size=${size}`));
      const reading = ['/text', '/blob'].map((path) => readSteadily(server.port, `${path}?size=${size}`));
      for (const { bytes, latestMs } of await Promise.all(reading)) {
        // A client that lags on a busy machine looks as if it stalled.
        if (bytes <= size) expectPace('the reading', latestMs, requestSecondsMax * 500);
        expect(bytes).toBeGreaterThan(size);
      }
      // A paused connection does not report its end.
      await until(() => countConnections(server.port) === 0);
      stalled.socket.resume();
      await until(stalled.isClosed);
      expect(stalled.socket.bytesRead).toBeLessThan(size);
    },
  );
});

describe.concurrent.each(runtimeNames)('on %s', (runtime) => {
  /** The most memory that a server has while this many clients send a request and read nothing, until it has closed their connections. */
  const peakMebibytes = async (path: string): Promise<number> => {
    await using server = await startServer(runtime, { requestSecondsMax: 4 });
    const before = descriptors(server.pid);
    const clients = await Promise.all(Array.from({ length: 150 }, () => open(server.port)));
    for (const { socket } of clients) socket.pause().write(get(path));
    await until(async () => (await readCounts(server.url)).begun === clients.length);
    await until(() => descriptors(server.pid) < before + 10);
    for (const { socket } of clients) socket.destroy();
    return peakMemoryMebibytes(server.pid);
  };

  linuxTest('readers that read nothing are closed, and share a large body', async () => {
    const paths = ['/text?size=1', '/shared-blob', ...(runtime === 'bun' ? [] : ['/shared-bytes'])];
    const [idle = 0, ...stalled] = await Promise.all(paths.map(peakMebibytes));
    // Each body has four megabytes.
    for (const peak of stalled) expect(peak - idle).toBeLessThan(50);
  });
});

/** The system takes up to a third of its buffers at once, so a slower client would look as if it stalled. */
const bytesPerMs = 10_000;

/** Reads a response at an even speed. Resolves to the number of its bytes, and how far it has lagged behind. */
const readSteadily = async (port: number, path: string) => {
  const { socket, isClosed } = await open(port);
  const startedAtMs = performance.now();
  let latestMs = 0;
  socket.on('data', () => {
    const aheadMs = socket.bytesRead / bytesPerMs - (performance.now() - startedAtMs);
    latestMs = Math.max(latestMs, -aheadMs);
    if (aheadMs < 20) return;
    socket.pause();
    setTimeout(() => socket.resume(), aheadMs);
  });
  socket.write(get(path, 'Connection: close'));
  await until(isClosed);
  return { bytes: socket.bytesRead, latestMs };
};
