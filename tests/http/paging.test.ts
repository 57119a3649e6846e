/** Each page stays within its limit of bytes, and the pages together have all items of the list. */
import { beforeEach, expect, test } from 'bun:test';
import { createApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { eventIdOf, plantEventTypes } from '../../src/events/event.ts';
import { pageBytesMax } from '../../src/http/paging.ts';
import { createLog } from '../../src/log.ts';
import { descriptionLengthMax, urlLengthMax, webhooksMax } from '../../src/webhooks/webhook.ts';
import { createTestApp, type TestApp } from '../support/app/app.ts';
import { nextPath } from '../support/app/links.ts';
import { operations, parametersOf } from '../support/document/document.ts';
import { onBothEngines } from '../support/store/engines.ts';
import { attemptNew, neverLeased } from '../support/webhooks/attempts.ts';

let app: TestApp;
onBothEngines(() => {
  beforeEach(async () => {
    app = await createTestApp();
  });

  /** Creates plants with the longest possible names and tags, in bytes of JSON. */
  const putPlants = (count: number): Promise<unknown> =>
    app.store.plants.putAll((put) =>
      put(
        Array.from({ length: count }, (_, id) => ({
          id: BigInt(id),
          name: '\u0001'.repeat(500),
          tag: '\u0001'.repeat(100),
        })),
        'leave',
      ),
    );

  /** Reads all pages of a list. Returns the size of each page in bytes, and its items. */
  const readPages = async (path: string) => {
    const pages: { bytes: number; items: Readonly<Record<string, unknown>>[] }[] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const response: Response = await app.send('GET', next);
      const text = await response.text();
      pages.push({ bytes: Buffer.byteLength(text), items: JSON.parse(text) });
      next = nextPath(response, next);
    }
    return pages;
  };

  const expectFullPages = (pages: Awaited<ReturnType<typeof readPages>>): void => {
    const itemBytes = Buffer.byteLength(JSON.stringify(pages[0]?.items[0]));
    expect(pages.length).toBeGreaterThan(2);
    for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(pageBytesMax);
    // A page ends only when the next item would not fit. The sizes of items differ by a few bytes.
    for (const { bytes } of pages.slice(0, -1)) expect(bytes).toBeGreaterThan(pageBytesMax - itemBytes - 100);
  };

  test('pages of plants are as large as the limit allows, and have all plants', async () => {
    await putPlants(1000);
    const pages = await readPages('/plants?limit=1000');
    expectFullPages(pages);
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(
      Array.from({ length: 1000 }, (_, id) => id),
    );
  });

  test('pages of events are as large as the limit allows, and have all events', async () => {
    await putPlants(1000);
    for (const path of ['/events?limit=1000', '/events?limit=1000&type=plant.created']) {
      const pages = await readPages(path);
      expectFullPages(pages);
      const sequences = pages.flatMap(({ items }) => items.map(({ sequence }) => sequence));
      expect(sequences).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
    }
  });

  test('pages of deliveries with all attempts are as large as the limit allows, and have all deliveries', async () => {
    const webhook = await app.store.webhooks.create({
      url: 'https://example.com/',
      events: ['plant.created'],
      secret: 's',
    });
    await putPlants(100);
    const attempt = { at: '2026-05-01T09:30:00.000Z', durationMs: 15_000, status: 500, excerpt: '\u0001'.repeat(200) };
    const attempted = await attemptNew(app.store, webhook, attempt);
    const changes = attempted.map((before) => ({ before, after: { ...before, attempts: Array(20).fill(attempt) } }));
    await app.store.deliveries.record(changes, new Map(), neverLeased);
    const pages = await readPages(`/webhooks/${webhook.id}/deliveries?limit=1000`);
    expectFullPages(pages);
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(
      attempted.map(({ event }) => eventIdOf(event)).reverse(),
    );
  });

  test('in every list, an empty `after` is the same as none', async () => {
    const events = ['plant.created'] as const;
    const webhook = await app.store.webhooks.create({ url: 'https://example.com/', events, secret: 's' });
    await putPlants(3);
    await attemptNew(app.store, webhook, { at: '2026-05-01T09:30:00.000Z', durationMs: 1, status: 200 });
    const lists = operations.filter((operation) => parametersOf(operation).some(({ name }) => name === 'after'));
    const queries: Record<string, string> = { '/deliveries': '?state=delivered' };
    const paths = lists.map(({ path }) => `${path.replace('{webhookId}', webhook.id)}${queries[path] ?? ''}`);
    const counts: number[] = [];
    for (const path of paths) {
      const [first] = await readPages(path);
      counts.push(first?.items.length ?? 0);
      for (const empty of ['after=', 'after', 'limit=2&after=']) {
        const pages = await readPages(`${path}${path.includes('?') ? '&' : '?'}${empty}`);
        expect(pages.flatMap(({ items }) => items)).toEqual([...(first?.items ?? [])]);
      }
    }
    expect(counts.filter((count) => count === 3).length).toBeGreaterThanOrEqual(4);
  });

  test('a page that ends where a read of the store ends has a link if there are more items', async () => {
    await putPlants(203);
    for (const [limit, pages] of [
      [101, [101, 101, 1]],
      [202, [202, 1]],
      [203, [203]],
      [204, [203]],
      [1000, [203]],
    ] as const) {
      expect((await readPages(`/plants?limit=${limit}`)).map(({ items }) => items.length)).toEqual([...pages]);
    }
  });

  test('a long list of webhooks is one of the large responses, of which an unread number is limited', async () => {
    const url = `https://example.com/${'a'.repeat(urlLengthMax - 20)}`;
    const description = '\u0001'.repeat(descriptionLengthMax);
    for (let count = 0; count < webhooksMax; count += 1)
      await app.store.webhooks.create({ url, events: [...plantEventTypes], secret: 's', description });
    // Not `send`, which reads the body.
    const { fetch } = createApp({ store: app.store, config: readConfig({}, {}), log: createLog('silent') });
    const list = () =>
      fetch(new Request('http://localhost/webhooks', { headers: { authorization: `Bearer ${app.token}` } }));
    const cancels: (() => Promise<void> | undefined)[] = [];
    const statuses = new Set<number>();
    while (!statuses.has(503) && cancels.length < 300) {
      const response = await list();
      statuses.add(response.status);
      const reader = response.body?.getReader();
      cancels.push(() => reader?.cancel());
      await reader?.read();
    }
    expect([...statuses]).toEqual([200, 503]);
    for (const cancel of cancels) await cancel();
    expect((await list()).status).toBe(200);
  });

  test('the pages that are being made at the same time are limited, and each of them is complete or refused', async () => {
    await putPlants(300);
    const { fetch } = createApp({ store: app.store, config: readConfig({}, {}), log: createLog('silent') });
    const list = () =>
      fetch(new Request('http://localhost/plants?limit=1000', { headers: { authorization: `Bearer ${app.token}` } }));
    const responses = await Promise.all(Array.from({ length: 100 }, list));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 503]));
    const [first, ...others] = await Promise.all(
      responses.filter(({ status }) => status === 200).map((one) => one.text()),
    );
    expect(JSON.parse(first ?? '').length).toBeGreaterThan(200);
    expect(others.every((text) => text === first)).toBe(true);
    // Neither complete nor refused pages count any longer.
    expect(await (await list()).text()).toBe(first ?? '');
  });
});
