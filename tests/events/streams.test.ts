/** The ends of streams, their limits and their cost. */
import { beforeEach, describe, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { AppError, unreadable } from '../../src/base/app-error.ts';
import { eventIdOf, logStartId } from '../../src/events/event.ts';
import {
  createStreams,
  type EndReason,
  piecesPerTurn,
  type Streams,
  type StreamsOptions,
  streamsMax,
} from '../../src/events/streams.ts';
import { listen } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import type { Store } from '../../src/store/store.ts';
import { digestToken } from '../../src/tokens/token.ts';
import { giveToken } from '../support/app/app.ts';
import { stopClock } from '../support/stopped-clock.ts';
import { openTestStore } from '../support/store/engines.ts';
import { createMany } from '../support/store/many-plants.ts';
import { readFrames } from '../support/streams/event-stream.ts';
import { countTurns } from '../support/turn-counter.ts';
import { until } from '../support/until.ts';

const log = createLog('silent');
/** Long enough for a busy machine: a stream ends if its token is not checked for two of them. */
const heartbeatMs = 50;
let store: Store;
let digest: string;
let ended: EndReason[];
let limits: number[];
beforeEach(async () => {
  store = await openTestStore();
  digest = digestToken(await giveToken(store));
  ended = [];
  limits = [];
});

const create = (options: Partial<StreamsOptions> = {}): Streams =>
  createStreams({
    store,
    log,
    limitTime: (_request, seconds) => void limits.push(seconds),
    onEnded: (reason) => void ended.push(reason),
    ...options,
  });

const open = (streams: Streams, after?: string, request = new Request('http://localhost/events')): Promise<Response> =>
  streams.open({ request, digest, after, type: undefined });

const write = async (count: number, name = 'n'): Promise<void> => {
  const newest = await store.events.head();
  for (let id = newest + 1n; id <= newest + BigInt(count); id += 1n) await store.plants.create({ id, name });
};

test('a stream sends a comment when it opens, and then at each heartbeat', async () => {
  const streams = create({ heartbeatMs });
  for (let count = 0; count < 3; count += 1) await readFrames(await open(streams)).cancel();
  const openedAtMs = performance.now();
  const stream = readFrames(await open(streams));
  await stream.comments(4);
  expect(performance.now() - openedAtMs).toBeGreaterThan(2.5 * heartbeatMs);
  await stream.cancel();
  expect(stream.text()).toBe(':\n'.repeat(4));
});

test('a heartbeat between events is the same comment, and the events stay complete', async () => {
  const streams = create({ heartbeatMs });
  const stream = readFrames(await open(streams));
  for (let count = 1; count <= 3; count += 1) {
    await stream.comments(count);
    await write(1);
  }
  const frames = await stream.frames(3);
  await stream.comments(5);
  await stream.cancel();
  const events = frames.map(({ id, event, data }) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  expect(stream.text().replaceAll(/^:\n/gm, '')).toBe(events.join(''));
});

describe('the token of a stream', () => {
  test('a stream ends when its token is revoked, and streams of other tokens continue', async () => {
    const streams = create({ heartbeatMs });
    const other = readFrames(await open(streams));
    const framesOfOther = other.frames(1);
    const [token] = await store.tokens.list();
    digest = digestToken(await giveToken(store));
    const stream = readFrames(await open(streams));
    const [, revoked] = await store.tokens.list();
    expect(revoked?.id).not.toBe(token?.id);
    await stream.comments(2);
    await store.tokens.revoke(`${revoked?.id}`);
    expect(await stream.end()).toEqual([]);
    expect(ended).toEqual(['token']);
    await write(1);
    await framesOfOther;
    await other.cancel();
    expect(ended).toEqual(['token', 'gone']);
  });

  test('a stream ends when its token expires', async () => {
    const expiresAt = new Date(Date.now() + 40).toISOString();
    digest = digestToken(await giveToken(store, { expiresAt }));
    await readFrames(await open(create({ heartbeatMs }))).end();
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    expect(ended).toEqual(['token']);
  });

  test('a stream ends if its token cannot be checked for two heartbeats', async () => {
    const unavailable = { ...store.tokens, findByDigest: () => Promise.reject(new AppError(unreadable)) };
    const openedAtMs = performance.now();
    await readFrames(await open(create({ heartbeatMs, store: { ...store, tokens: unavailable } }))).end();
    expect(performance.now() - openedAtMs).toBeGreaterThan(2 * heartbeatMs);
    expect(ended).toEqual(['token']);
  });
});

test('there are at most 1,000 streams, and a new one is accepted after another has ended', async () => {
  const streams = create();
  const responses: Response[] = [];
  for (let count = 0; count < streamsMax; count += 1) responses.push(await open(streams));
  await expect(open(streams)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(open(streams, 'x')).rejects.toMatchObject({ code: 'invalid_cursor' });
  await responses.pop()?.body?.cancel();
  responses.push(await open(streams));
  for (const { body } of responses) await body?.cancel();
  expect(ended).toEqual(Array.from({ length: streamsMax + 1 }, () => 'gone'));
});

test('a stream has no time limit, and its connection has one again after the stream', async () => {
  const stopping = new AbortController();
  const stream = readFrames(await open(create({ stopping: stopping.signal })));
  expect(limits).toEqual([0]);
  await stream.comments(1);
  stopping.abort();
  await stream.end();
  expect(limits).toEqual([0, 15]);
});

test('a stream that is opened during a stop ends immediately', async () => {
  const response = await open(create({ stopping: AbortSignal.abort() }));
  expect(await response.text()).toBe(':\n');
  expect(response.headers.get('last-event-id')).toBe(logStartId);
});

test('a HEAD request opens no stream', async () => {
  const request = new Request('http://localhost/events', { method: 'HEAD' });
  const streams = create();
  const response = await open(streams, undefined, request);
  expect([response.status, streams.count(), limits]).toEqual([200, 0, []]);
});

test('the log is read only after new events and at a slow poll, and only while there is a stream', async () => {
  let reads = 0;
  const read: Store['events']['read'] = (...page) => {
    reads += 1;
    return store.events.read(...page);
  };
  using clock = stopClock();
  const streams = create({ store: { ...store, events: { ...store.events, read } } });
  const stream = readFrames(await open(streams));
  await write(1);
  await clock.passUntil(stream.frames(1));
  const readsOfOne = reads;
  await clock.pass(5000);
  // Without new events, the log is read four times per second.
  expect(reads - readsOfOne).toBeWithin(19, 22);
  await stream.cancel();
  const before = reads;
  await write(5);
  await clock.pass(5000);
  expect(reads).toBe(before);
  const again = readFrames(await open(streams));
  await write(1);
  expect((await clock.passUntil(again.frames(1))).map(({ data }) => data.sequence)).toEqual([7]);
  await again.cancel();
});

test('a stream of a rare type reads only the events of this type, however long the log is', async () => {
  let eventsRead = 0;
  const read: Store['events']['read'] = async (...page) => {
    const found = await store.events.read(...page);
    eventsRead += found.events.length;
    return found;
  };
  const streams = create({ store: { ...store, events: { ...store.events, read } } });
  const request = new Request('http://localhost/events');
  await createMany(store, 5000);
  await store.plants.delete(1n);
  await store.plants.create({ id: 1n, name: 'n' });
  const stream = readFrames(await streams.open({ request, digest, after: logStartId, type: 'plant.deleted' }));
  expect(await stream.frames(1)).toMatchObject([{ data: { sequence: 5001 } }]);
  await store.plants.delete(2n);
  expect(await stream.frames(2)).toMatchObject([{}, { data: { sequence: 5003 } }]);
  await stream.cancel();
  // The newest event, and each deletion for the follower and for the stream.
  expect(eventsRead).toBeWithin(2, 6);
});

test('other work runs between the pieces of many streams', async () => {
  await createMany(store, 2000);
  using counter = countTurns();
  let pieces = 0;
  const streams = create();
  const readAll = async (): Promise<void> => {
    const { body } = await open(streams, logStartId);
    const decoder = new TextDecoder();
    let [events, text] = [0, ''];
    for await (const bytes of body ?? []) {
      pieces += 1;
      text = decoder.decode(bytes);
      events += text.split('\ndata: ').length - 1;
      if (events === 2000) break;
    }
  };
  await Promise.all(Array.from({ length: 20 }, readAll));
  expect(pieces).toBeGreaterThan(20 * 5);
  expect(counter.turns()).toBeGreaterThanOrEqual(Math.floor(pieces / piecesPerTurn));
});

test('a stream resumes when the store can be read again', async () => {
  await write(3);
  const [first] = await store.events.list({ limit: 1 });
  let failures = 0;
  const read: Store['events']['read'] = (...page) => {
    failures += 1;
    return failures <= 3 ? Promise.reject(new AppError(unreadable)) : store.events.read(...page);
  };
  const streams = create({ store: { ...store, events: { ...store.events, read } } });
  using clock = stopClock();
  const stream = readFrames(await open(streams, first && eventIdOf(first)));
  expect((await clock.passUntil(stream.frames(2))).map(({ data }) => data.sequence)).toEqual([2, 3]);
  expect(failures).toBeGreaterThan(3);
  await stream.cancel();
});

test('a stream ends when its next events are removed', async () => {
  await write(1200);
  const [first] = await store.events.list({ limit: 1 });
  const stream = readFrames(await open(create(), first && eventIdOf(first)));
  await stream.comments(1);
  await store.events.prune('9999-01-01T00:00:00.000Z', 1199);
  expect(await stream.end()).toEqual([]);
  expect(ended).toEqual(['slow']);
});

test('a stream ends if a defect prevents reads of the log', async () => {
  const read = () => Promise.reject(new Error('a defect'));
  const stream = readFrames(await open(create({ store: { ...store, events: { ...store.events, read } } })));
  expect(await stream.end()).toEqual([]);
  expect(ended).toEqual(['failed']);
});

describe('on a connection', () => {
  const startServer = async (heartbeatMs: number) => {
    const server = await listen({
      host: '127.0.0.1',
      port: 0,
      log,
      fetch: (request) => open(streams, undefined, request),
    });
    const limitTime = (limited: Request, seconds: number): void => {
      limits.push(seconds);
      server.limitTime(limited, seconds);
    };
    const streams = create({ stopping: server.stopping, limitTime, heartbeatMs });
    return server;
  };

  const connectTo = async (url: string): Promise<Socket> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return socket;
  };

  test('a stop ends a stream after a complete event, with a complete chunked body', async () => {
    const server = await startServer(1000);
    const socket = await connectTo(server.url);
    let text = '';
    const isClosed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (data) => {
      text += data;
    });
    await until(() => text.includes('\n:\n'));
    const writing = write(50);
    await until(() => text.includes('event: '));
    await server.stop({ graceMs: 5000 });
    await isClosed;
    await writing;
    expect(text).toEndWith('\n\n\r\n0\r\n\r\n');
    expect(ended).toEqual(['stopping']);
  });

  test('a stream ends when its client closes the connection', async () => {
    const server = await startServer(1000);
    const socket = await connectTo(server.url);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await until(() => ended.length > 0);
    expect(ended).toEqual(['gone']);
    await server.stop({ graceMs: 0 });
  });

  test('a client that does not read is disconnected', async () => {
    const server = await startServer(100);
    const socket = await connectTo(server.url);
    socket.pause();
    const isClosed = new Promise((resolve) => socket.once('close', resolve));
    while (ended.length === 0) {
      const newest = await store.events.head();
      const plants = Array.from({ length: 500 }, (_, n) => ({ id: newest + BigInt(n + 1), name: '🌱'.repeat(500) }));
      await Promise.all(plants.map((plant) => store.plants.create(plant)));
    }
    expect(ended).toEqual(['slow']);
    expect(limits).toEqual([0, 1]);
    socket.resume();
    await isClosed;
    await server.stop({ graceMs: 0 });
  });
});
