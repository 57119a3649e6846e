import { beforeEach, describe, expect, test } from 'bun:test';
import { generateSecret, isSecret } from '../../src/base/signature.ts';
import { type Attempt, excerptLengthMax } from '../../src/deliveries/delivery.ts';
import { eventIdOf, plantEventTypes } from '../../src/events/event.ts';
import { webhooksMax } from '../../src/webhooks/webhook.ts';
import { asJson, create, createTestApp, errorOf, jsonOf, type TestApp } from '../support/app/app.ts';
import { nextPath } from '../support/app/links.ts';
import { onBothEngines } from '../support/store/engines.ts';
import { attemptNew } from '../support/webhooks/attempts.ts';

let app: TestApp;
onBothEngines(() => {
  beforeEach(async () => {
    app = await createTestApp();
  });

  const url = 'https://receiver.example.com/';

  const post = (body: object): Promise<Response> =>
    app.send('POST', '/webhooks', { headers: asJson, body: JSON.stringify(body) });

  const add = async (body: object = { url }): Promise<{ id: string; secret: string }> => jsonOf(await post(body));

  const get = async (path: string) => jsonOf(await app.send('GET', path));

  /** Makes one attempt for each new event, and returns the ids of the deliveries. */
  const attempt = async (id: string, ...rest: [Attempt, string?]): Promise<string[]> => {
    const webhook = await app.store.webhooks.get(id);
    if (!webhook) throw new Error('there is no such webhook');
    return (await attemptNew(app.store, webhook, ...rest)).map(({ event }) => eventIdOf(event));
  };

  describe('a new webhook', () => {
    test('the response to a new webhook has its secret and its path, and is not cacheable', async () => {
      const response = await post({ url, events: ['plant.deleted'], description: 'd', id: 5 });
      expect(response.status).toBe(201);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const webhook = await jsonOf(response);
      expect(webhook).toEqual({
        id: expect.stringMatching(/^wh_\w{14}$/),
        url,
        events: ['plant.deleted'],
        description: 'd',
        createdAt: expect.stringMatching(/Z$/),
        enabled: true,
        secret: expect.stringMatching(/^whsec_/),
      });
      expect(isSecret(webhook.secret)).toBe(true);
      expect(response.headers.get('location')).toBe(`webhooks/${webhook.id}`);
    });

    test('a new webhook can have a secret from the client', async () => {
      const chosen = generateSecret();
      const webhook = await jsonOf(await post({ url, secret: chosen }));
      expect(webhook.secret).toBe(chosen);
      const record = await app.store.webhooks.get(webhook.id);
      expect(record?.secrets).toEqual([{ text: chosen }]);
    });

    test.each<[string, unknown]>([
      ['a number', 5],
      ['no prefix', generateSecret().slice(6)],
      ['23 bytes', `whsec_${Buffer.alloc(23).toString('base64')}`],
      ['65 bytes', `whsec_${Buffer.alloc(65).toString('base64')}`],
      ['characters that are not base64', `whsec_${'*'.repeat(32)}`],
      ['null', null],
    ])('a new webhook with an invalid secret is refused: %s', async (_why, secret) => {
      expect(await errorOf(await post({ url, secret }))).toBe(40001);
    });

    test('a webhook shows its secret only when it is created', async () => {
      const { secret, ...webhook } = await add();
      expect(await get('/webhooks')).toEqual([webhook]);
      expect(await get(`/webhooks/${webhook.id}`)).toEqual(webhook);
      await app.send('POST', `/webhooks/${webhook.id}/test`);
      for (const path of ['/webhooks', `/webhooks/${webhook.id}`, `/webhooks/${webhook.id}/deliveries`]) {
        expect(await (await app.send('GET', path)).text()).not.toContain('whsec_');
      }
    });

    test('a new webhook subscribes to all events unless it lists some', async () => {
      expect(await add()).toMatchObject({ events: plantEventTypes });
    });

    test('a new webhook is refused if there are 100', async () => {
      for (let count = 0; count < webhooksMax; count += 1) expect((await post({ url })).status).toBe(201);
      const response = await post({ url });
      expect(response.status).toBe(409);
      expect(await errorOf(response)).toBe(40901);
    });

    test.each([
      ['no URL', {}],
      ['a URL of null', { url: null }],
      ['a URL that is a number', { url: 1 }],
      ['a URL that is too long', { url: `${url}${'x'.repeat(2049 - url.length)}` }],
      ['events of null', { url, events: null }],
      ['events that are a string', { url, events: 'plant.created' }],
      ['an empty list of events', { url, events: [] }],
      ['an unknown event type', { url, events: ['plant.watered'] }],
      ['a test as an event type', { url, events: ['webhook.test'] }],
      ['a duplicate event type', { url, events: ['plant.created', 'plant.created'] }],
      ['an event type that is a large number', { url, events: [2 ** 60] }],
      ['an event type that is an object', { url, events: [{ a: 1 }] }],
      ['a description of null', { url, description: null }],
      ['a description that is too long', { url, description: 'x'.repeat(501) }],
      ['a description with U+0000', { url, description: '\0' }],
      ['an array as the body', []],
    ])('a new webhook with %s is refused', async (_what, body) => {
      const response = await post(body);
      expect(await errorOf(response)).toBe(40001);
      expect(await get('/webhooks')).toEqual([]);
    });

    test('a new webhook may have a URL and a description of the maximum length', async () => {
      const body = { url: `${url}${'x'.repeat(2048 - url.length)}`, description: '🌱'.repeat(500) };
      expect((await post(body)).status).toBe(201);
    });
  });

  test('the list of webhooks begins with the oldest one, and has no deleted ones', async () => {
    const [first, second] = [await add(), await add()];
    expect((await get('/webhooks')).map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
    const response = await app.send('DELETE', `/webhooks/${first.id}`);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect((await get('/webhooks')).map(({ id }: { id: string }) => id)).toEqual([second.id]);
  });

  test.each([
    ['GET', '/webhooks/wh_none'],
    ['DELETE', '/webhooks/wh_none'],
    ['POST', '/webhooks/wh_none/rotate'],
    ['POST', '/webhooks/wh_none/test'],
    ['GET', '/webhooks/wh_none/deliveries'],
    ['POST', '/webhooks/wh_none/deliveries/evt_1_0123456789abcdef/redeliver'],
    ['GET', `/webhooks/${'x'.repeat(5000)}`],
    ['GET', '/webhooks/%00'],
    ['GET', "/webhooks/'%20OR%201=1"],
  ])('%s %s is refused with 40400', async (method, path) => {
    await add();
    expect(await errorOf(await app.send(method, path))).toBe(40400);
  });

  test('a rotation returns the new secret, and the previous one stays valid for 24 hours', async () => {
    const { id, secret } = await add();
    const response = await app.send('POST', `/webhooks/${id}/rotate`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const rotated = await jsonOf(response);
    expect(rotated).toMatchObject({ id, url });
    expect(rotated.secret).not.toBe(secret);
    const kept = await app.store.webhooks.get(id);
    expect(kept?.secrets.map(({ text }) => text)).toEqual([rotated.secret, secret]);
    const remainingMs = Date.parse(kept?.secrets[1]?.until ?? '') - Date.now();
    expect(remainingMs).toBeGreaterThan(23.99 * 3_600_000);
    expect(remainingMs).toBeLessThanOrEqual(24 * 3_600_000);
  });

  describe('deliveries', () => {
    const good = { at: '2026-01-01T00:00:00.000Z', durationMs: 12, status: 204 };
    const bad = { at: '2026-01-01T00:00:00.000Z', durationMs: 15000, failure: 'timeout' } as const;

    test('a delivery has its attempts with their results, and the time of the next one', async () => {
      const { id } = await add();
      await create(app, '{"id":1,"name":"n"}');
      const [delivered] = await attempt(id, good);
      await create(app, '{"id":2,"name":"n"}');
      const [pending] = await attempt(id, bad, '2026-01-01T00:00:05.000Z');
      await create(app, '{"id":3,"name":"n"}');
      const failed = { ...good, status: 500, excerpt: 'x'.repeat(excerptLengthMax) };
      const [failedDelivery] = await attempt(id, failed);
      const type = 'plant.created';
      expect(await get(`/webhooks/${id}/deliveries`)).toEqual([
        { id: failedDelivery, webhookId: id, type, state: 'failed', attempts: [failed] },
        {
          id: pending,
          webhookId: id,
          type,
          state: 'pending',
          attempts: [bad],
          nextAttemptAt: '2026-01-01T00:00:05.000Z',
        },
        { id: delivered, webhookId: id, type, state: 'delivered', attempts: [good] },
      ]);
      expect(await get(`/webhooks/${id}`)).toMatchObject({
        enabled: false,
        disabledAt: bad.at,
        disabledReason: 'failing',
        failingSince: bad.at,
      });
    });

    test('deliveries are listed in pages', async () => {
      const { id } = await add();
      for (let plant = 1; plant <= 5; plant += 1) await create(app, `{"id":${plant},"name":"n"}`);
      const sent = await attempt(id, good);
      const listed: string[] = [];
      for (let path: string | undefined = `/webhooks/${id}/deliveries?limit=2`; path !== undefined; ) {
        const response: Response = await app.send('GET', path);
        const page: { id: string }[] = JSON.parse(await response.text());
        listed.push(...page.map((delivery) => delivery.id));
        path = nextPath(response, path);
      }
      expect(listed).toEqual(sent.toReversed());
    });

    test.each([
      ['?limit=0', 40002],
      ['?limit=x', 40002],
      ['?after=x', 40004],
      ['?after=+', 40004],
    ])('a list of deliveries with %s is refused with %d', async (query, error) => {
      const { id } = await add();
      expect(await errorOf(await app.send('GET', `/webhooks/${id}/deliveries${query}`))).toBe(error);
    });

    test('a delivery is sent again when a client requests a redelivery', async () => {
      const { id } = await add();
      await create(app, '{"id":1,"name":"n"}');
      const [delivery] = await attempt(id, { ...good, status: 410 });
      expect(await get(`/webhooks/${id}`)).toMatchObject({ enabled: false, disabledReason: 'gone' });
      const response = await app.send('POST', `/webhooks/${id}/deliveries/${delivery}/redeliver`);
      expect(response.status).toBe(202);
      expect(await jsonOf(response)).toMatchObject({ id: delivery, state: 'pending', attempts: [{ status: 410 }] });
      expect(await get(`/webhooks/${id}`)).toMatchObject({ enabled: true });
      const unknown = `/webhooks/${id}/deliveries/evt_1_0123456789abcdef/redeliver`;
      expect(await errorOf(await app.send('POST', unknown))).toBe(40400);
    });

    test('a test of a webhook is a pending delivery, but not an event', async () => {
      const { id } = await add();
      const response = await app.send('POST', `/webhooks/${id}/test`);
      expect(response.status).toBe(202);
      const delivery = await jsonOf(response);
      expect(delivery).toEqual({
        id: expect.stringMatching(/^evt_0t1_[\w-]{16}$/),
        webhookId: id,
        type: 'webhook.test',
        state: 'pending',
        attempts: [],
      });
      expect(await get(`/webhooks/${id}/deliveries`)).toEqual([delivery]);
      expect(await get('/events')).toEqual([]);
    });
  });
});
