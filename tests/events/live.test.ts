/** The guarantees of the live log for clients. */
import { beforeEach, describe, expect, test } from 'bun:test';
import { rangesMax } from '../../src/http/media-type.ts';
import type { Store } from '../../src/store/store.ts';
import { asJson, create, createTestApp, errorOf, type SendOptions, type TestApp } from '../support/app/app.ts';
import { createTestDatabase, onBothEngines, openTestStore } from '../support/store/engines.ts';
import { asStream, type FrameReader, isStream, readFrames } from '../support/streams/event-stream.ts';

let app: TestApp;

const open = async (query = '', headers: SendOptions['headers'] = {}): Promise<FrameReader> =>
  readFrames(await app.send('GET', `/events${query}`, { headers: { ...asStream, ...headers } }));

const list = async (query = '') => JSON.parse(await (await app.send('GET', `/events${query}`)).text());

const createMany = async (store: Store, from: number, to: number): Promise<void> => {
  const writes: Promise<unknown>[] = [];
  for (let id = from; id <= to; id += 1) writes.push(store.plants.create({ id: BigInt(id), name: 'n' }));
  await Promise.all(writes);
};

onBothEngines(() => {
  beforeEach(async () => {
    app = await createTestApp();
  });

  test('a stream has every event after its start, exactly as in the list', async () => {
    await create(app, '{"id":1,"name":"before"}');
    const stream = await open();
    await create(app, '{"id":9223372036854775807,"name":"a\\nb\\r\\u2028","tag":"日本"}');
    await app.send('PATCH', '/plants/9223372036854775807', { headers: asJson, body: '{"tag":null}' });
    await app.send('DELETE', '/plants/9223372036854775807');
    const frames = await stream.frames(3);
    await stream.cancel();
    expect(frames.map(({ data }) => data)).toEqual((await list()).slice(1));
    const [before] = await list();
    expect(stream.text()).toStartWith(':\nid: evt_2_');
    expect(stream.start).toBe(before.eventId);
    expect(stream.text()).toContain('"id":9223372036854775807,');
  });

  test('a stream begins after Last-Event-ID if it has a value, or else after the cursor `after`', async () => {
    await createMany(app.store, 1, 4);
    const [first, second, third] = await list();
    const streams = [
      await open(`?after=${first.eventId}`, { 'last-event-id': third.eventId }),
      await open(`?after=${second.eventId}&limit=1`),
    ];
    expect((await streams[0]?.frames(1))?.map(({ data }) => data.sequence)).toEqual([4]);
    expect((await streams[1]?.frames(2))?.map(({ data }) => data.sequence)).toEqual([3, 4]);
    for (const stream of streams) await stream.cancel();
  });

  test.each<[string, string, SendOptions['headers'], number]>([
    ['after the newest event by default', '', {}, 3],
    ['after the newest event if `after` is empty', '?after=', {}, 3],
    ['after the newest event if Last-Event-ID is empty', '', { 'last-event-id': '' }, 3],
    ['after the newest event if both are empty', '?after=', { 'last-event-id': '' }, 3],
    ['after `after` if Last-Event-ID is empty', '?after=1', { 'last-event-id': '' }, 1],
    ['after `after` if Last-Event-ID has only spaces', '?after=1', { 'last-event-id': ' \t' }, 1],
    ['after Last-Event-ID if `after` is empty', '?after=', { 'last-event-id': '2' }, 2],
    ['after Last-Event-ID without the spaces around it', '', { 'last-event-id': ' \t1 \t' }, 1],
  ])('a stream begins %s, and its header says where', async (_where, query, headers, start) => {
    await createMany(app.store, 1, 3);
    const ids: string[] = (await list()).map(({ eventId }: { eventId: string }) => eventId);
    const withId = (text: string): string => text.replace(/\d/, (sequence) => `${ids[Number(sequence) - 1]}`);
    const request = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, withId(value)]));
    const stream = await open(withId(query), request);
    const head = await app.send('HEAD', `/events${withId(query)}`, { headers: { ...asStream, ...request } });
    expect([stream.start, head.headers.get('last-event-id')]).toEqual([`${ids[start - 1]}`, `${ids[start - 1]}`]);
    await createMany(app.store, 4, 4);
    expect((await stream.frames(1))[0]?.data.sequence).toBe(start + 1);
    await stream.cancel();
  });

  test('a client that resumes before the first event misses nothing with the Last-Event-ID of the response', async () => {
    const stream = await open();
    await stream.comments(1);
    await stream.cancel();
    const id = stream.start;
    expect(await list(`?after=${id}`)).toEqual([]);
    const next = await open('', { 'last-event-id': id });
    await createMany(app.store, 1, 2);
    expect((await next.frames(2)).map(({ data }) => data.sequence)).toEqual([1, 2]);
    await next.cancel();
    expect((await list(`?after=${id}`)).length).toBe(2);
    await app.store.events.prune('9999-01-01T00:00:00.000Z', 1);
    expect(await errorOf(await app.send('GET', `/events?after=${id}`))).toBe(41000);
  });

  test('a stream of one type has only the events of this type', async () => {
    await createMany(app.store, 1, 600);
    const [{ eventId }] = await list('?limit=1');
    const stream = await open(`?type=plant.deleted&after=${eventId}`);
    await app.send('DELETE', '/plants/1');
    await createMany(app.store, 601, 602);
    await app.send('DELETE', '/plants/2');
    expect((await stream.frames(2)).map(({ data }) => [data.sequence, data.type, data.id])).toEqual([
      [601, 'plant.deleted', 1],
      [604, 'plant.deleted', 2],
    ]);
    await stream.cancel();
  });

  test('streams that begin anywhere in the log have every later event once and in order during writes', async () => {
    await createMany(app.store, 1, 1200);
    const events = [
      ...(await list('?limit=1000')),
      ...(await list('?limit=200&after='.concat((await list('?limit=1000')).at(-1).eventId))),
    ];
    const starts = [0, 499, 500, 998, 1199];
    const streams = await Promise.all(starts.map((start) => open('', { 'last-event-id': events[start].eventId })));
    const fromNow = await open();
    const writing = (async () => {
      for (let id = 1201; id <= 2000; id += 50) {
        await createMany(app.store, id, id + 49);
        await Bun.sleep(1);
      }
    })();
    for (const [index, start] of starts.entries()) {
      const frames = (await streams[index]?.frames(2000 - start - 1)) ?? [];
      expect(frames.map(({ data }) => data.sequence)).toEqual(
        Array.from({ length: 1999 - start }, (_, n) => start + 2 + n),
      );
      await streams[index]?.cancel();
    }
    await writing;
    expect((await fromNow.frames(800)).map(({ data }) => data.sequence)).toEqual(
      Array.from({ length: 800 }, (_, n) => 1201 + n),
    );
    await fromNow.cancel();
  });

  test('a stream has events from another process, and a client can resume there with its last id', async () => {
    await using database = await createTestDatabase();
    const [here, there] = [await openTestStore(database.url), await openTestStore(database.url)];
    app = await createTestApp({ store: here });
    const stream = await open();
    await createMany(there, 1, 3);
    const [, second] = await stream.frames(3);
    await stream.cancel();
    app = await createTestApp({ store: there });
    const next = await open('', { 'last-event-id': `${second?.id}` });
    expect((await next.frames(1)).map(({ data }) => data.sequence)).toEqual([3]);
    await next.cancel();
    await here.close();
    await there.close();
  });

  test.each([
    ['?after=+', {}, 40004],
    ['?after=evt_1_0123456789abcdef', {}, 40004],
    ['', { 'last-event-id': 'evt_1_0123456789abcdef' }, 40004],
    ['?limit=0', {}, 40002],
    ['?type=plant.watered', {}, 40002],
  ] as const)('a stream with %s and %o is refused with %d before it begins', async (query, headers, error) => {
    await create(app, '{"id":1,"name":"n"}');
    expect(await errorOf(await app.send('GET', `/events${query}`, { headers: { ...asStream, ...headers } }))).toBe(
      error,
    );
  });

  test('a stream that would begin after a removed event is refused with 41000', async () => {
    await createMany(app.store, 1, 4);
    const [{ eventId }] = await list('?limit=1');
    await app.store.events.prune('9999-01-01T00:00:00.000Z', 2);
    const headers = { ...asStream, 'last-event-id': eventId };
    expect(await errorOf(await app.send('GET', '/events', { headers }))).toBe(41000);
  });
});

describe('the media type of the response', () => {
  test.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['image/png', 'application/json'],
    ['application/json', 'application/json'],
    ['text/event-stream;q=0', 'application/json'],
    ['text/event-stream;q=0.5, application/json', 'application/json'],
    ['text/event-stream;q=0.1, */*;q=0.2', 'application/json'],
    ['application/json, text/event-stream', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['TEXT/Event-Stream', 'text/event-stream'],
    ['text/*', 'text/event-stream'],
    ['text/event-stream, */*', 'text/event-stream'],
    ['text/event-stream, application/json;q=0.9', 'text/event-stream'],
    ['application/json;q=0, */*', 'text/event-stream'],
    ['text/event-stream; charset=utf-8', 'text/event-stream'],
    ['text/event-stream;charset="UTF8" ; q=0.9', 'text/event-stream'],
    ['application/json ;charset=utf-8, text/event-stream;q=0.5', 'application/json'],
    ['application/json;charset=utf-16, text/event-stream;q=0.5', 'text/event-stream'],
    ['text/event-stream;charset=utf-16', 'application/json'],
    ['text/event-stream\t;;\tQ="0.9", application/json;q=0.1', 'text/event-stream'],
    ['image/png;a="\\", application/json", ,text/event-stream', 'text/event-stream'],
    [`${'a/b,'.repeat(rangesMax - 1)}text/event-stream`, 'text/event-stream'],
    [`${'a/b,'.repeat(rangesMax)}text/event-stream`, 'application/json'],
  ])('the response to Accept: %p has the media type %s', async (accept, mediaType) => {
    const { send } = await createTestApp();
    const response = await send('GET', '/events', { headers: accept === undefined ? {} : { accept } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, mediaType]);
    expect(response.headers.get('vary')).toBe('accept');
    expect(response.headers.get('cache-control')).toBe('no-store');
    if (isStream(response)) await response.body?.cancel();
  });

  test('the response to HEAD has the headers of a stream', async () => {
    const { send } = await createTestApp();
    const response = await send('HEAD', '/events', { headers: asStream });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await response.text()).toBe('');
  });
});
