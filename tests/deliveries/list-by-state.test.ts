/** The list of deliveries to all webhooks, over HTTP. */
import { beforeEach, expect, test } from 'bun:test';
import { encodeCursor } from '../../src/base/page.ts';
import type { Attempt } from '../../src/deliveries/delivery.ts';
import { cursorList, cursorOf } from '../../src/deliveries/place.ts';
import { plantEventTypes } from '../../src/events/event.ts';
import { createTestApp, errorOf, giveToken, jsonOf, type TestApp } from '../support/app/app.ts';
import { nextPath } from '../support/app/links.ts';
import { onBothEngines } from '../support/store/engines.ts';
import { attemptNew } from '../support/webhooks/attempts.ts';

let app: TestApp;
const at = '2026-01-01T00:00:00.000Z';
const bad: Attempt = { at, durationMs: 7, status: 500, excerpt: 'no' };
const good: Attempt = { at, durationMs: 7, status: 204 };

/** Adds a webhook, and attempts the events of this number of new plants. */
const addWebhook = async (plants: number, attempt: Attempt): Promise<string> => {
  const { store } = app;
  const webhook = await store.webhooks.create({ url: 'https://a.test/', events: plantEventTypes, secret: 'whsec_1' });
  const first = (await store.plants.count()) + 1;
  for (let id = first; id < first + plants; id += 1) await store.plants.create({ id: BigInt(id), name: 'n' });
  await attemptNew(store, webhook, attempt);
  return webhook.id;
};

onBothEngines(() => {
  beforeEach(async () => {
    app = await createTestApp();
  });

  test('the list has the webhook and the attempts of each delivery, and links to its next page', async () => {
    const first = await addWebhook(3, bad);
    const second = await addWebhook(2, bad);
    await addWebhook(1, good);
    const items: Record<string, unknown>[] = [];
    let pages = 0;
    for (let path: string | undefined = '/deliveries?state=failed&limit=2'; path !== undefined; pages += 1) {
      const response: Response = await app.send('GET', path);
      items.push(...(await jsonOf(response)));
      path = nextPath(response, path);
      if (path) expect(path).toStartWith('/deliveries?state=failed&limit=2&after=');
    }
    expect(pages).toBe(3);
    expect(items.map((item) => item['webhookId'])).toEqual([second, second, first, first, first]);
    expect(items[0]).toEqual({
      id: expect.stringMatching(/^evt_5_/),
      webhookId: second,
      type: 'plant.created',
      state: 'failed',
      attempts: [bad],
    });
    expect(await jsonOf(await app.send('GET', '/deliveries?state=pending'))).toEqual([]);
    expect(await jsonOf(await app.send('GET', '/deliveries?state=delivered'))).toHaveLength(1);
  });

  test('with `count=true` a header has the number of deliveries in all pages, which the next page leaves out', async () => {
    await addWebhook(3, bad);
    const path = '/deliveries?state=failed&limit=2&count=true';
    const response = await app.send('GET', path);
    expect(response.headers.get('x-total-count')).toBe('3');
    expect(nextPath(response, path)).not.toContain('count');
    for (const other of ['/deliveries?state=failed', '/deliveries?state=failed&count=false'])
      expect((await app.send('GET', other)).headers.has('x-total-count')).toBe(false);
    const pending = await app.send('HEAD', '/deliveries?state=pending&count=true');
    expect(pending.headers.get('x-total-count')).toBe('0');
  });

  test('the count is exact up to 1,000, and `1000+` beyond', async () => {
    for (const [counted, shown] of [
      [1000, '1000'],
      [1001, '1000+'],
    ] as const) {
      const countByState = async (_state: string, limit: number) => Math.min(counted, limit);
      const store = { ...app.store, deliveries: { ...app.store.deliveries, countByState } };
      const { send } = await createTestApp({ store });
      const response = await send('GET', '/deliveries?state=failed&count=true');
      expect(response.headers.get('x-total-count')).toBe(shown);
    }
  });

  test('a delivery to a deleted webhook is listed, and cannot be requested again', async () => {
    const id = await addWebhook(1, bad);
    await app.store.webhooks.delete(id);
    const [delivery] = await jsonOf(await app.send('GET', '/deliveries?state=failed'));
    expect(delivery.webhookId).toBe(id);
    const again = await app.send('POST', `/webhooks/${id}/deliveries/${delivery.id}/redeliver`);
    expect(await errorOf(again)).toBe(40400);
  });

  const cursor = cursorOf({ sequence: 1n, number: 0n, webhookId: 'wh_1' });
  test.each([
    ['', 40002],
    ['state', 40002],
    ['state=lost', 40002],
    ['state=Failed', 40002],
    ['state=failed&state=failed', 40002],
    ['state=failed&count=1', 40002],
    ['state=failed&count=', 40002],
    ['state=failed&limit=0', 40002],
    ['state=failed&webhookId=wh_1', 40002],
    ['state=failed&after=x', 40004],
    [`state=failed&after=${encodeCursor(1, { number: 1n, text: '' })}`, 40004],
    [`state=failed&after=${encodeCursor(cursorList, { number: 1n, text: '' })}`, 40004],
    [`state=failed&after=${encodeCursor(cursorList, { number: 1n, text: '-1 wh_1' })}`, 40004],
    [`state=failed&after=${cursor}x`, 40004],
    [`state=failed&after=${cursor.toLowerCase()}`, 40004],
  ])('a list of deliveries with %j is refused', async (query, error) => {
    expect(await errorOf(await app.send('GET', `/deliveries?${query}`))).toBe(error);
  });

  test('an empty cursor is none, and a cursor of the list is one of every state', async () => {
    for (const state of ['pending', 'failed', 'delivered'])
      for (const after of ['', cursor])
        expect((await app.send('GET', `/deliveries?state=${state}&after=${after}`)).status).toBe(200);
    expect(await errorOf(await app.send('GET', `/plants?after=${cursor}`))).toBe(40004);
  });

  test('the list needs the scope webhooks:read', async () => {
    const token = await giveToken(app.store, { scopes: ['plants:read'] });
    const response = await app.send('GET', '/deliveries?state=failed', { authorization: `Bearer ${token}` });
    expect(await errorOf(response)).toBe(40300);
  });
});
