import { beforeEach, expect, test } from 'bun:test';
import { asJson, create, createTestApp, errorOf, jsonOf, type TestApp } from '../support/app/app.ts';
import { nextPath } from '../support/app/links.ts';
import { onBothEngines } from '../support/store/engines.ts';
import { nextMillisecond } from '../support/until.ts';

let app: TestApp;
onBothEngines(() => {
  beforeEach(async () => {
    app = await createTestApp();
  });

  const list = async (query = ''): Promise<string> => (await app.send('GET', `/events${query}`)).text();

  const eventId = expect.stringMatching(/^evt_\d+_[\w-]{16}$/);
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  test('the log lists every change with its exact id', async () => {
    await create(app, '{"id":9223372036854775807,"name":"Monstera","tag":"tropical"}');
    await app.send('PATCH', '/plants/9223372036854775807', { headers: asJson, body: '{"tag":null}' });
    await app.send('DELETE', '/plants/9223372036854775807');
    const text = await list();
    expect(text.match(/"id":9223372036854775807[,}]/g)).toHaveLength(3);
    expect(JSON.parse(text)).toEqual([
      { eventId, sequence: 1, type: 'plant.created', timestamp, id: 2 ** 63, name: 'Monstera', tag: 'tropical' },
      { eventId, sequence: 2, type: 'plant.updated', timestamp, id: 2 ** 63, name: 'Monstera' },
      { eventId, sequence: 3, type: 'plant.deleted', timestamp, id: 2 ** 63 },
    ]);
  });

  test('the times of a plant are in the events of its creation and of its last change', async () => {
    await create(app, '{"id":1,"name":"n"}');
    const read = async () => jsonOf(await app.send('GET', '/plants/1'));
    const before = await read();
    await nextMillisecond();
    await app.send('PATCH', '/plants/1', { headers: asJson, body: '{"name":"m"}' });
    const [created, updated] = JSON.parse(await list());
    expect([before.createdAt, before.updatedAt]).toEqual([created.timestamp, created.timestamp]);
    const after = await read();
    expect([after.createdAt, after.updatedAt]).toEqual([created.timestamp, updated.timestamp]);
    expect(updated.timestamp).not.toBe(created.timestamp);
  });

  test('a repeated creation does not add an event', async () => {
    for (let time = 0; time < 3; time += 1) await create(app, '{"id":1,"name":"n"}');
    expect(JSON.parse(await list())).toHaveLength(1);
  });

  /** The ids of the events of all pages, and the number of pages. */
  const readPages = async (start: string) => {
    const sequences: number[] = [];
    let pages = 0;
    for (let path: string | undefined = start; path !== undefined; pages += 1) {
      const response: Response = await app.send('GET', path);
      const page: { sequence: number }[] = JSON.parse(await response.text());
      sequences.push(...page.map(({ sequence }) => sequence));
      path = nextPath(response, path);
    }
    return { sequences, pages };
  };

  test('the pages of the log go backwards too, also those of one type', async () => {
    for (let id = 1; id <= 5; id += 1) await create(app, `{"id":${id},"name":"n"}`);
    await app.send('DELETE', '/plants/5');
    expect(await readPages('/events?limit=4&sort=-sequence')).toEqual({ sequences: [6, 5, 4, 3, 2, 1], pages: 2 });
    expect((await readPages('/events?limit=2&sort=-sequence&type=plant.created')).sequences).toEqual([5, 4, 3, 2, 1]);
  });

  test('the events of one plant are found in bounded pages, which can be empty, in both orders', async () => {
    const others = Array.from({ length: 6000 }, (_, index) => ({ id: BigInt(index), name: 'n' }));
    await create(app, '{"id":-7,"name":"first"}');
    await app.store.plants.putAll((put) => put(others, 'leave'));
    await app.send('PATCH', '/plants/-7', { headers: asJson, body: '{"name":"second"}' });
    await app.send('DELETE', '/plants/-7');
    const own = [1, 6002, 6003];
    expect(await readPages('/events?plant=-7')).toEqual({ sequences: own, pages: 2 });
    expect(await readPages('/events?plant=-7&limit=1&sort=-sequence')).toEqual({
      sequences: own.toReversed(),
      pages: 4,
    });
    expect((await readPages('/events?plant=-7&type=plant.deleted')).sequences).toEqual([6003]);
    expect(await readPages('/events?plant=8888')).toEqual({ sequences: [], pages: 2 });
  });

  test('each page of events has a link to the next one, and a client can continue after any event', async () => {
    for (let id = 1; id <= 5; id += 1) await create(app, `{"id":${id},"name":"n"}`);
    await app.send('DELETE', '/plants/5');
    const ids: number[] = [];
    let last = '';
    for (let path: string | undefined = '/events?limit=2&type=plant.created'; path !== undefined; ) {
      const response: Response = await app.send('GET', path);
      const page: { id: number; eventId: string }[] = JSON.parse(await response.text());
      ids.push(...page.map(({ id }) => id));
      last = page.at(-1)?.eventId ?? '';
      path = nextPath(response, path);
    }
    expect(ids).toEqual([1, 2, 3, 4, 5]);
    expect(JSON.parse(await list(`?after=${last}`))).toMatchObject([{ type: 'plant.deleted', sequence: 6 }]);
  });

  test.each([
    ['?limit=0', 40002],
    ['?limit=1001', 40002],
    ['?type=plant.watered', 40002],
    ['?type=webhook.test', 40002],
    ['?type=plant.created&type=plant.deleted', 40002],
    ['?after=+', 40004],
    ['?after=evt_1_0123456789abcdef', 40004],
  ])('a list of events with %s is refused with %d', async (query, error) => {
    await create(app, '{"id":1,"name":"n"}');
    expect(await errorOf(await app.send('GET', `/events${query}`))).toBe(error);
  });

  test('a cursor that is older than the retained events is refused with 41000', async () => {
    for (let id = 1; id <= 4; id += 1) await create(app, `{"id":${id},"name":"n"}`);
    const [{ eventId }] = JSON.parse(await list('?limit=1'));
    await app.store.events.prune('9999-01-01T00:00:00.000Z', 2);
    const response = await app.send('GET', `/events?after=${eventId}`);
    expect(response.status).toBe(410);
    expect(await errorOf(response)).toBe(41000);
  });
});
