/** What any engine must do with webhooks and deliveries; every test runs on a fresh store of its own. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Attempt, askedFor, type Delivery } from '../src/domain/delivery.ts';
import { eventIdOf, plantEventTypes } from '../src/domain/event.ts';
import { type NewWebhook, type WebhookRecord, webhooksMax } from '../src/domain/webhook.ts';
import type { Store } from '../src/store/store.ts';
import { engines } from './support/engines.ts';
import { temporaryFolder } from './support/folder.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await store.close();
  folder[Symbol.dispose]();
});

const url = 'https://receiver.example.com/';
const add = (webhook: Partial<NewWebhook> = {}): Promise<WebhookRecord> =>
  store.webhooks.create({ url, events: plantEventTypes, secret: 'whsec_1', ...webhook });

const createPlants = async (...ids: bigint[]): Promise<void> => {
  for (const id of ids) await store.plants.create({ id, name: 'n' });
};

const takeNew = async (webhook: WebhookRecord, after = webhook.position, limit = 100) => {
  const { events, ...rest } = await store.deliveries.takeNew(webhook, after, limit);
  return { ...rest, sequences: events.map(({ sequence }) => sequence) };
};

const never = '9999-01-01T00:00:00.000Z';
const takeDue = (id: string, now: string, limit = 100) => store.deliveries.takeDue(id, { now, latest: never, limit });

const good: Attempt = { at: '2026-01-01T00:00:00.000Z', durationMs: 1, status: 204 };
const bad: Attempt = { at: '2026-01-02T00:00:00.000Z', durationMs: 1, status: 500, excerpt: 'oh "no"' };

/** Records an attempt at each new event. */
const attemptNew = async (webhook: WebhookRecord, attempt: Attempt, nextAttemptAt?: string): Promise<Delivery[]> => {
  const { events, readTo } = await store.deliveries.takeNew(webhook, webhook.position, 100);
  const changes = events.map((event) => {
    const before: Delivery = { webhookId: webhook.id, event, attempts: [], tries: 0 };
    const after = { ...before, attempts: [attempt], tries: 1, ...(nextAttemptAt !== undefined && { nextAttemptAt }) };
    return { before, after };
  });
  await store.deliveries.record(changes, new Map([[webhook.id, readTo]]));
  return changes.map(({ after }) => after);
};

const listed = (webhookId: string) => store.deliveries.list(webhookId, { limit: 100 });

describe.each(engines)('$name', ({ open }) => {
  beforeEach(() => {
    store = open(folder.path);
  });

  describe('a webhook', () => {
    test('that was created is found, exactly', async () => {
      const webhook = await add({ description: 'd', events: ['plant.deleted'] });
      expect(webhook).toEqual({
        id: expect.stringMatching(/^wh_[0-9A-Za-z]{14}$/),
        url,
        events: ['plant.deleted'],
        description: 'd',
        createdAt: expect.stringMatching(/Z$/),
        secrets: [{ text: 'whsec_1' }],
        position: 0n,
      });
      expect(await store.webhooks.get(webhook.id)).toEqual(webhook);
      expect(await store.webhooks.get('wh_none')).toBeUndefined();
    });

    test('is listed after those before it, up to the limit of all', async () => {
      const first = await add();
      for (let count = 1; count < webhooksMax; count += 1) await add();
      await expect(add()).rejects.toMatchObject({ code: 'too_many_webhooks' });
      const all = await store.webhooks.list();
      expect(all).toHaveLength(webhooksMax);
      expect(all[0]).toEqual(first);
      await store.webhooks.delete(first.id);
      const last = await add();
      expect((await store.webhooks.list()).at(-1)).toEqual(last);
    });

    test('that is removed is gone, with what was sent to it', async () => {
      const webhook = await add();
      await createPlants(1n);
      await attemptNew(webhook, bad, '2026-02-01T00:00:00.000Z');
      expect(await store.webhooks.delete(webhook.id)).toBe(true);
      expect(await store.webhooks.delete(webhook.id)).toBe(false);
      expect(await store.webhooks.list()).toEqual([]);
      await expect(listed(webhook.id)).rejects.toMatchObject({ code: 'not_found' });
      // What was under way meanwhile is let go.
      await attemptNew(webhook, good);
      expect(await store.webhooks.list()).toEqual([]);
    });

    test('keeps the secrets that were rotated out, as many as may sign', async () => {
      const { id } = await add();
      const rotated = await store.webhooks.rotate(id, 'whsec_2');
      expect(rotated.secrets).toEqual([{ text: 'whsec_2' }, { text: 'whsec_1', until: expect.stringMatching(/Z$/) }]);
      expect(await store.webhooks.get(id)).toEqual(rotated);
      for (const secret of ['whsec_3', 'whsec_4', 'whsec_5']) await store.webhooks.rotate(id, secret);
      const texts = (await store.webhooks.get(id))?.secrets.map(({ text }) => text);
      expect(texts).toEqual(['whsec_5', 'whsec_4', 'whsec_3', 'whsec_2']);
      await expect(store.webhooks.rotate('wh_none', 'whsec_2')).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('what is new', () => {
    test('is what has happened since the webhook was created, of its types', async () => {
      await createPlants(1n);
      const webhook = await add({ events: ['plant.updated', 'plant.deleted'] });
      expect(await takeNew(webhook)).toEqual({ sequences: [], readTo: 1n, hasMore: false });
      await createPlants(2n);
      await store.plants.update(2n, { name: 'm' });
      await store.plants.delete(2n);
      expect(await takeNew(webhook)).toEqual({ sequences: [3n, 4n], readTo: 4n, hasMore: false });
      expect(await takeNew(webhook, 1n, 2)).toEqual({ sequences: [3n], readTo: 3n, hasMore: true });
      expect(await takeNew(webhook, 4n)).toEqual({ sequences: [], readTo: 4n, hasMore: false });
    });

    test('is not what has been tried, nor a test', async () => {
      const webhook = await add();
      await createPlants(1n, 2n);
      await store.deliveries.test(webhook.id);
      const [first] = await attemptNew(webhook, good);
      expect(first?.event).toMatchObject({ sequence: 1n, id: 1n });
      await createPlants(3n);
      // After a crash the position may lie before what was recorded.
      expect(await takeNew(webhook, 0n)).toMatchObject({ sequences: [4n] });
    });

    test('is told of when it is written', async () => {
      const { id } = await add();
      let times = 0;
      const silence = store.deliveries.onNew(() => {
        times += 1;
      });
      await createPlants(1n);
      await store.plants.update(1n, { name: 'm' });
      await store.plants.delete(1n);
      await store.plants.putAll((put) => put([{ id: 2n, name: 'n' }], 'leave'));
      await store.deliveries.test(id);
      expect(times).toBe(5);
      silence();
      await createPlants(3n);
      expect(times).toBe(5);
    });
  });

  describe('what was tried', () => {
    test('is kept with its attempts, and the webhook has moved on', async () => {
      const webhook = await add();
      await createPlants(1n, 2n);
      const tried = await attemptNew(webhook, bad, '2026-02-01T00:00:00.000Z');
      expect(await listed(webhook.id)).toEqual(tried.toReversed());
      expect((await store.webhooks.get(webhook.id))?.position).toBe(2n);
      // A position never goes back.
      await store.deliveries.record([], new Map([[webhook.id, 1n]]));
      expect((await store.webhooks.get(webhook.id))?.position).toBe(2n);
    });

    test('is due from its time on, the longest due first', async () => {
      const webhook = await add();
      const other = await add();
      for (const [id, day] of [
        [1n, '03'],
        [2n, '02'],
        [3n, '04'],
      ] as const) {
        await createPlants(id);
        await attemptNew((await store.webhooks.get(webhook.id)) ?? webhook, bad, `2026-02-${day}T00:00:00.000Z`);
      }
      const sequences = async (...range: Parameters<typeof takeDue>) =>
        (await takeDue(...range)).map(({ event }) => event.sequence);
      expect(await sequences(webhook.id, '2026-02-01T23:59:59.999Z')).toEqual([]);
      expect(await sequences(webhook.id, '2026-02-03T00:00:00.000Z')).toEqual([2n, 1n]);
      expect(await sequences(webhook.id, '2026-02-09T00:00:00.000Z', 2)).toEqual([2n, 1n]);
      expect(await sequences(other.id, '2026-02-09T00:00:00.000Z')).toEqual([]);
      const putOff = await store.deliveries.takeDue(webhook.id, {
        now: '2026-02-02T00:00:00.000Z',
        latest: '2026-02-03T12:00:00.000Z',
        limit: 100,
      });
      expect(putOff.map(({ event }) => event.sequence)).toEqual([2n, 3n]);
    });

    test('is never due once it is delivered or given up', async () => {
      const webhook = await add();
      await createPlants(1n);
      await attemptNew(webhook, good);
      expect(await takeDue(webhook.id, never)).toEqual([]);
    });

    test('is listed newest first, in pages', async () => {
      const webhook = await add();
      await createPlants(1n, 2n, 3n);
      const tried = await attemptNew(webhook, good);
      const [first = '', second = '', third = ''] = tried.map(({ event }) => eventIdOf(event));
      const ids = async (page: { limit: number; after?: string }) =>
        (await store.deliveries.list(webhook.id, page)).map(({ event }) => eventIdOf(event));
      expect(await ids({ limit: 2 })).toEqual([third, second]);
      expect(await ids({ limit: 2, after: second })).toEqual([first]);
      expect(await ids({ limit: 2, after: first })).toEqual([]);
      await expect(ids({ limit: 2, after: 'x' })).rejects.toMatchObject({ code: 'invalid_cursor' });
      await expect(store.deliveries.list('wh_none', { limit: 1 })).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('health', () => {
    const healthOf = async (id: string) => {
      const { failingSince, disabled } = (await store.webhooks.get(id)) ?? {};
      return { failingSince, disabled };
    };

    test('fails from the first failure to the next success', async () => {
      const webhook = await add();
      await createPlants(1n);
      await attemptNew(webhook, bad, never);
      expect(await healthOf(webhook.id)).toEqual({ failingSince: bad.at, disabled: undefined });
      await createPlants(2n);
      await attemptNew(webhook, { ...bad, at: '2026-01-05T00:00:00.000Z' }, never);
      expect(await healthOf(webhook.id)).toEqual({ failingSince: bad.at, disabled: undefined });
      await createPlants(3n);
      await attemptNew(webhook, good);
      expect(await healthOf(webhook.id)).toEqual({ failingSince: undefined, disabled: undefined });
    });

    test('ends with 410, and with a delivery of which every try failed', async () => {
      for (const [attempt, reason] of [
        [{ ...bad, status: 410 }, 'gone'],
        [bad, 'failing'],
      ] as const) {
        const webhook = await add();
        await createPlants(BigInt((await store.webhooks.list()).length));
        await attemptNew(webhook, attempt);
        expect(await healthOf(webhook.id)).toEqual({ failingSince: bad.at, disabled: { at: bad.at, reason } });
      }
    });

    test('does not end when another delivery got through since the first try', async () => {
      const webhook = await add();
      await createPlants(1n);
      const first = { ...bad, at: '2026-01-01T00:00:00.000Z' };
      const [tried] = await attemptNew(webhook, first, never);
      await createPlants(2n);
      await attemptNew(webhook, { ...good, at: '2026-01-02T00:00:00.000Z' });
      const last = { ...bad, at: '2026-01-03T00:00:00.000Z' };
      if (!tried) throw new Error('nothing was tried');
      const { nextAttemptAt: _, ...settled } = tried;
      const after = { ...settled, attempts: [first, last], tries: 2 };
      await store.deliveries.record([{ before: tried, after }], new Map());
      expect(await healthOf(webhook.id)).toEqual({ failingSince: last.at, disabled: undefined });
    });
  });

  describe('what is asked for by hand', () => {
    test('is a test for one webhook, due before all else', async () => {
      const webhook = await add();
      const other = await add();
      await createPlants(1n);
      await attemptNew(webhook, bad, '2026-02-01T00:00:00.000Z');
      const delivery = await store.deliveries.test(webhook.id);
      expect(delivery).toMatchObject({ event: { type: 'webhook.test', sequence: 2n }, attempts: [], tries: 0 });
      expect((await takeDue(webhook.id, never)).map(({ event }) => event.sequence)).toEqual([2n, 1n]);
      expect(await takeDue(other.id, never)).toEqual([]);
      expect(await store.events.list({ limit: 10 })).toHaveLength(1);
      await expect(store.deliveries.test('wh_none')).rejects.toMatchObject({ code: 'not_found' });
    });

    test('is a delivery again, with all tries before it', async () => {
      const webhook = await add();
      await createPlants(1n);
      const [tried] = await attemptNew(webhook, good);
      const id = tried ? eventIdOf(tried.event) : '';
      const asked = await store.deliveries.redeliver(webhook.id, id);
      expect(asked).toMatchObject({ attempts: [good], tries: 0, nextAttemptAt: askedFor });
      expect(await takeDue(webhook.id, askedFor)).toEqual([asked]);
      for (const [webhookId, deliveryId] of [
        ['wh_none', id],
        [webhook.id, 'x'],
        [webhook.id, `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`],
        [(await add()).id, id],
      ] as const) {
        await expect(store.deliveries.redeliver(webhookId, deliveryId)).rejects.toMatchObject({ code: 'not_found' });
      }
    });

    test('enables the webhook again, and it goes on where it was', async () => {
      const webhook = await add();
      await createPlants(1n);
      const [tried] = await attemptNew(webhook, { ...bad, status: 410 });
      await createPlants(2n);
      for (const ask of [
        () => store.deliveries.test(webhook.id),
        () => store.deliveries.redeliver(webhook.id, tried ? eventIdOf(tried.event) : ''),
      ]) {
        await ask();
        const enabled = await store.webhooks.get(webhook.id);
        expect(enabled?.disabled).toBeUndefined();
        expect(await takeNew(enabled ?? webhook)).toMatchObject({ sequences: [2n] });
      }
    });

    test('during an attempt stays asked for', async () => {
      const webhook = await add();
      await createPlants(1n);
      const [before] = await attemptNew(webhook, bad, '2026-02-01T00:00:00.000Z');
      if (!before) throw new Error('nothing was tried');
      await store.deliveries.redeliver(webhook.id, eventIdOf(before.event));
      const { nextAttemptAt: _, ...after } = { ...before, attempts: [bad, good], tries: 2 };
      await store.deliveries.record([{ before, after }], new Map());
      expect(await takeDue(webhook.id, askedFor)).toMatchObject([{ attempts: [bad, good], tries: 0 }]);
    });
  });

  describe('old events', () => {
    const prune = () => store.events.prune(never, 100);
    const kept = async () => (await store.events.list({ limit: 100 })).map(({ sequence }) => sequence);

    test('stay while an enabled webhook has them before it', async () => {
      const webhook = await add();
      await createPlants(1n, 2n, 3n);
      expect(await prune()).toBe(0);
      await store.deliveries.record([], new Map([[webhook.id, 2n]]));
      expect(await prune()).toBe(2);
      expect(await kept()).toEqual([3n]);
    });

    test('stay while a delivery is to be tried again', async () => {
      const webhook = await add();
      await createPlants(1n);
      await attemptNew(webhook, good);
      await createPlants(2n);
      await attemptNew((await store.webhooks.get(webhook.id)) ?? webhook, bad, never);
      await createPlants(3n, 4n);
      await attemptNew((await store.webhooks.get(webhook.id)) ?? webhook, good);
      expect(await prune()).toBe(1);
      expect(await kept()).toEqual([2n, 3n, 4n]);
      expect(await listed(webhook.id)).toHaveLength(3);
    });

    test('go when the webhook that waits for them is disabled or removed, with their deliveries', async () => {
      const disabled = await add();
      const removed = await add();
      await createPlants(1n);
      await attemptNew(removed, bad, never);
      await attemptNew(disabled, { ...bad, status: 410 });
      await createPlants(2n, 3n);
      expect(await prune()).toBe(0);
      await store.webhooks.delete(removed.id);
      expect(await prune()).toBe(2);
      expect(await kept()).toEqual([3n]);
      expect(await listed(disabled.id)).toEqual([]);
    });
  });
});
