/** The contract of both engines for webhooks and deliveries. Every test runs on a new store. */
import { describe, expect, test } from 'bun:test';
import { type Attempt, type Delivery, testMessagesPendingMax } from '../../src/deliveries/delivery.ts';
import { eventIdOf, keyTextOf, type PlantEventType, plantEventTypes } from '../../src/events/event.ts';
import type { Store } from '../../src/store/store.ts';
import { type NewWebhook, type WebhookRecord, webhooksMax } from '../../src/webhooks/webhook.ts';
import { onEveryEngine } from '../support/store/engines.ts';
import { nextMillisecond } from '../support/until.ts';
import { attemptNew, neverLeased } from '../support/webhooks/attempts.ts';

let store: Store;

const url = 'https://receiver.example.com/';
const add = (webhook: Partial<NewWebhook> = {}): Promise<WebhookRecord> =>
  store.webhooks.create({ url, events: plantEventTypes, secret: 'whsec_1', ...webhook });

const createPlants = async (...ids: bigint[]): Promise<void> => {
  for (const id of ids) await store.plants.create({ id, name: 'n' });
};

const readUntried = async ({ id, position }: WebhookRecord, after = position, limit = 100) => {
  const { events, ...rest } = await store.deliveries.readUntried(id, after, limit);
  return { ...rest, sequences: events.map(({ sequence }) => sequence) };
};

const never = '9999-01-01T00:00:00.000Z';
const longAgo = '1970-01-01T00:00:00.000Z';
const readDue = (id: string, now: string, limit = 100) => store.deliveries.readDue(id, { now, latest: never, limit });

const good: Attempt = { at: '2026-01-01T00:00:00.000Z', durationMs: 1, status: 204 };
const bad: Attempt = { at: '2026-01-02T00:00:00.000Z', durationMs: 1, status: 500, excerpt: 'oh "no"' };

const listed = (webhookId: string) => store.deliveries.list(webhookId, { limit: 100 });

/** Records a delivery after an attempt, such that no other one follows. */
const settle = (before: Delivery, attempt: Pick<Partial<Delivery>, 'attempts' | 'attemptsInRound'>): Promise<void> => {
  const { nextAttemptAt: _, requestedAt: __, ...settled } = before;
  return store.deliveries.record([{ before, after: { ...settled, ...attempt } }], new Map(), neverLeased);
};

const use = (fresh: Store): void => {
  store = fresh;
};

onEveryEngine(use, () => {
  describe('webhooks', () => {
    test('a created webhook is found unchanged', async () => {
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

    test('webhooks are listed oldest first, and no more are created than webhooksMax', async () => {
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

    test('a deleted webhook is not found, nor its deliveries', async () => {
      const webhook = await add();
      await createPlants(1n);
      await attemptNew(store, webhook, bad, '2026-02-01T00:00:00.000Z');
      await store.webhooks.delete(webhook.id);
      await expect(store.webhooks.delete(webhook.id)).rejects.toMatchObject({ code: 'not_found' });
      expect(await store.webhooks.list()).toEqual([]);
      await expect(listed(webhook.id)).rejects.toMatchObject({ code: 'not_found' });
      // Attempts in flight are dropped.
      await attemptNew(store, webhook, good);
      expect(await store.webhooks.list()).toEqual([]);
    });

    test('a webhook keeps as many rotated secrets as may sign', async () => {
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

  describe('untried events', () => {
    test('a webhook is sent the events since it was created', async () => {
      await createPlants(1n);
      const webhook = await add();
      expect(await readUntried(webhook)).toEqual({ sequences: [], readTo: 1n, hasMore: false });
      await createPlants(2n);
      await store.plants.update(2n, { name: 'm' });
      await store.plants.delete(2n);
      expect(await readUntried(webhook)).toEqual({ sequences: [2n, 3n, 4n], readTo: 4n, hasMore: false });
      expect(await readUntried(webhook, 1n, 2)).toEqual({ sequences: [2n, 3n], readTo: 3n, hasMore: true });
      expect(await readUntried(webhook, 4n)).toEqual({ sequences: [], readTo: 4n, hasMore: false });
    });

    test('untried events include neither those that were tried nor tests', async () => {
      const webhook = await add();
      await createPlants(1n, 2n);
      await store.deliveries.createTestMessage(webhook.id);
      const [first] = await attemptNew(store, webhook, good);
      expect(first?.event).toMatchObject({ sequence: 1n, id: 1n });
      await createPlants(3n);
      // After a crash the position may be before recorded deliveries.
      expect(await readUntried(webhook, 0n)).toMatchObject({ sequences: [3n] });
      const { events, ...rest } = await store.events.read(0n, 3);
      expect(events.map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n]);
      expect(rest).toMatchObject({ readFrom: 0n, readTo: 3n, last: { sequence: 3n }, hasMore: true });
    });

    test('untried events of some types are in order, and end at the newest event of any type', async () => {
      const webhook = await add();
      await createPlants(1n, 2n, 3n);
      for (const id of [1n, 2n]) {
        await store.plants.update(id, { name: 'm' });
        await store.plants.delete(id);
      }
      await createPlants(4n);
      const read = async (types: readonly PlantEventType[], after = 0n, limit = 100) => {
        const { events, ...rest } = await store.deliveries.readUntried(webhook.id, after, limit, types);
        return { ...rest, sequences: events.map(({ sequence }) => sequence) };
      };
      const changes = ['plant.updated', 'plant.deleted'] as const;
      expect(await read(changes)).toEqual({ sequences: [4n, 5n, 6n, 7n], readTo: 8n, hasMore: false });
      expect(await read(changes, 0n, 3)).toEqual({ sequences: [4n, 5n, 6n], readTo: 6n, hasMore: true });
      expect(await read(['plant.deleted'], 5n)).toEqual({ sequences: [7n], readTo: 8n, hasMore: false });
      expect(await read(['plant.deleted'], 7n)).toEqual({ sequences: [], readTo: 8n, hasMore: false });
      expect(await read(['plant.deleted'], 8n)).toEqual({ sequences: [], readTo: 8n, hasMore: false });
      await attemptNew(store, webhook, good);
      expect(await read(changes)).toEqual({ sequences: [], readTo: 8n, hasMore: false });
    });

    test('a listener is called after each commit of new data', async () => {
      const calls: string[] = [];
      const others: string[] = [];
      const silence = store.onNew((what) => calls.push(what));
      store.onNew((what) => others.push(what));
      const { id } = await add();
      await createPlants(1n);
      await store.plants.update(1n, { name: 'm' });
      await store.plants.delete(1n);
      await store.plants.putAll((put) => put([{ id: 2n, name: 'n' }], 'leave'));
      const { event } = await store.deliveries.createTestMessage(id);
      await store.deliveries.redeliver(id, eventIdOf(event));
      await store.webhooks.rotate(id, 'whsec_2');
      await store.webhooks.delete(id);
      const plants = ['event', 'event', 'event', 'event'];
      expect(calls).toEqual(['webhook', ...plants, 'webhook', 'webhook', 'webhook', 'webhook']);
      silence();
      await createPlants(3n);
      expect(calls).toHaveLength(9);
      expect(others).toHaveLength(10);
    });

    test('a change can be read when its listener is called', async () => {
      const webhook = await add();
      let seen: Promise<bigint[]> | undefined;
      store.onNew(() => {
        seen = readUntried(webhook).then(({ sequences }) => sequences);
      });
      await createPlants(1n);
      expect(await seen).toEqual([1n]);
    });
  });

  describe('deliveries', () => {
    test('a delivery is recorded with its attempts, and so is the position of its webhook', async () => {
      const webhook = await add();
      await createPlants(1n, 2n);
      const tried = await attemptNew(store, webhook, bad, '2026-02-01T00:00:00.000Z');
      expect(await listed(webhook.id)).toEqual(tried.toReversed());
      expect((await store.webhooks.get(webhook.id))?.position).toBe(2n);
      // A position never decreases.
      await store.deliveries.record([], new Map([[webhook.id, 1n]]), neverLeased);
      expect((await store.webhooks.get(webhook.id))?.position).toBe(2n);
    });

    test('the later one of two attempts at a delivery that are recorded together is kept', async () => {
      const webhook = await add();
      await createPlants(1n);
      const [event] = (await store.deliveries.readUntried(webhook.id, 0n, 1)).events;
      if (!event) throw new Error('nothing is new');
      const before: Delivery = { webhookId: webhook.id, event, attempts: [], attemptsInRound: 0 };
      const first = { ...before, attempts: [bad], attemptsInRound: 1, nextAttemptAt: never };
      const second = { ...before, attempts: [bad, good], attemptsInRound: 2 };
      const changes = [
        { before, after: first },
        { before: first, after: second },
      ];
      await store.deliveries.record(changes, new Map(), neverLeased);
      expect(await listed(webhook.id)).toEqual([second]);
    });

    test('deliveries are due from their time on, earliest time first', async () => {
      const webhook = await add();
      const other = await add();
      for (const [id, day] of [
        [1n, '03'],
        [2n, '02'],
        [3n, '04'],
      ] as const) {
        await createPlants(id);
        await attemptNew(store, (await store.webhooks.get(webhook.id)) ?? webhook, bad, `2026-02-${day}T00:00:00.000Z`);
      }
      const sequences = async (...range: Parameters<typeof readDue>) =>
        (await readDue(...range)).map(({ event }) => event.sequence);
      expect(await sequences(webhook.id, '2026-02-01T23:59:59.999Z')).toEqual([]);
      expect(await sequences(webhook.id, '2026-02-03T00:00:00.000Z')).toEqual([2n, 1n]);
      expect(await sequences(webhook.id, '2026-02-09T00:00:00.000Z', 2)).toEqual([2n, 1n]);
      expect(await sequences(other.id, '2026-02-09T00:00:00.000Z')).toEqual([]);
      const putOff = await store.deliveries.readDue(webhook.id, {
        now: '2026-02-02T00:00:00.000Z',
        latest: '2026-02-03T12:00:00.000Z',
        limit: 100,
      });
      expect(putOff.map(({ event }) => event.sequence)).toEqual([2n, 3n]);
    });

    test('the next delivery of a webhook is the one that is scheduled first', async () => {
      const webhook = await add();
      const other = await add();
      expect(await store.deliveries.readNextDue(webhook.id)).toBeUndefined();
      for (const [id, day] of [
        [1n, '03'],
        [2n, '02'],
      ] as const) {
        await createPlants(id);
        await attemptNew(store, (await store.webhooks.get(webhook.id)) ?? webhook, bad, `2026-02-${day}T00:00:00.000Z`);
      }
      expect(await store.deliveries.readNextDue(webhook.id)).toBe('2026-02-02T00:00:00.000Z');
      expect(await store.deliveries.readNextDue(other.id)).toBeUndefined();
      const [newest] = await listed(webhook.id);
      await store.deliveries.redeliver(webhook.id, newest ? eventIdOf(newest.event) : '');
      expect(await store.deliveries.readNextDue(webhook.id)).toBe('2026-02-03T00:00:00.000Z');
    });

    test('a delivery is never due once it is delivered or given up', async () => {
      const webhook = await add();
      await createPlants(1n);
      await attemptNew(store, webhook, good);
      expect(await readDue(webhook.id, never)).toEqual([]);
    });

    test('deliveries are listed newest first, in pages', async () => {
      const webhook = await add();
      await createPlants(1n, 2n, 3n);
      const tried = await attemptNew(store, webhook, good);
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

    test('a webhook fails from the first failure to the next success', async () => {
      const webhook = await add();
      await createPlants(1n);
      await attemptNew(store, webhook, bad, never);
      expect(await healthOf(webhook.id)).toEqual({ failingSince: bad.at, disabled: undefined });
      await createPlants(2n);
      await attemptNew(store, webhook, { ...bad, at: '2026-01-05T00:00:00.000Z' }, never);
      expect(await healthOf(webhook.id)).toEqual({ failingSince: bad.at, disabled: undefined });
      await createPlants(3n);
      await attemptNew(store, webhook, good);
      expect(await healthOf(webhook.id)).toEqual({ failingSince: undefined, disabled: undefined });
    });

    test('the health of a webhook is judged by attempts in their order, and a late success enables nothing', async () => {
      const webhook = await add();
      await createPlants(1n, 2n, 3n);
      const { events } = await store.deliveries.readUntried(webhook.id, 0n, 100);
      const changes = events.map((event, index) => {
        const before: Delivery = { webhookId: webhook.id, event, attempts: [], attemptsInRound: 0 };
        const attempt = [{ ...bad, status: 410 }, { ...bad, at: never }, good][index] ?? good;
        return { before, after: { ...before, attempts: [attempt], attemptsInRound: 1 } };
      });
      await store.deliveries.record(changes, new Map(), neverLeased);
      expect(await healthOf(webhook.id)).toEqual({ failingSince: undefined, disabled: { at: bad.at, reason: 'gone' } });
    });

    test('a webhook is disabled by a 410, and by a delivery of which every try failed', async () => {
      for (const [attempt, reason] of [
        [{ ...bad, status: 410 }, 'gone'],
        [bad, 'failing'],
      ] as const) {
        const webhook = await add();
        await createPlants(BigInt((await store.webhooks.list()).length));
        await attemptNew(store, webhook, attempt);
        expect(await healthOf(webhook.id)).toEqual({ failingSince: bad.at, disabled: { at: bad.at, reason } });
      }
    });

    test('a webhook stays enabled when another delivery succeeded since the first try of one that failed', async () => {
      const webhook = await add();
      await createPlants(1n);
      const first = { ...bad, at: '2026-01-01T00:00:00.000Z' };
      const [tried] = await attemptNew(store, webhook, first, never);
      await createPlants(2n);
      await attemptNew(store, webhook, { ...good, at: '2026-01-02T00:00:00.000Z' });
      const last = { ...bad, at: '2026-01-03T00:00:00.000Z' };
      if (!tried) throw new Error('nothing was tried');
      await settle(tried, { attempts: [first, last], attemptsInRound: 2 });
      expect(await healthOf(webhook.id)).toEqual({ failingSince: last.at, disabled: undefined });
    });
  });

  describe('tests and redeliveries', () => {
    test('a test is for one webhook, and due before all other deliveries', async () => {
      const webhook = await add();
      const other = await add();
      await createPlants(1n);
      await attemptNew(store, webhook, bad, '2026-02-01T00:00:00.000Z');
      const delivery = await store.deliveries.createTestMessage(webhook.id);
      expect(delivery).toMatchObject({
        event: { type: 'webhook.test', sequence: 1n },
        attempts: [],
        attemptsInRound: 0,
      });
      expect((await readDue(webhook.id, never)).map(({ event }) => event.type)).toEqual([
        'webhook.test',
        'plant.created',
      ]);
      expect(await readDue(other.id, never)).toEqual([]);
      expect(await store.events.list({ limit: 10 })).toHaveLength(1);
      await expect(store.deliveries.createTestMessage('wh_none')).rejects.toMatchObject({ code: 'not_found' });
    });

    test('a webhook has at most testMessagesPendingMax pending tests', async () => {
      const webhook = await add();
      const other = await add();
      const asked: Delivery[] = [];
      for (let count = 0; count < testMessagesPendingMax; count += 1)
        asked.push(await store.deliveries.createTestMessage(webhook.id));
      await expect(store.deliveries.createTestMessage(webhook.id)).rejects.toMatchObject({ code: 'too_many_tests' });
      await store.deliveries.createTestMessage(other.id);
      const [before] = asked;
      if (!before) throw new Error('nothing was asked for');
      await settle(before, { attempts: [good], attemptsInRound: 1 });
      await store.deliveries.createTestMessage(webhook.id);
      // A request makes a settled test pending again, so it is refused; a pending test may be requested again.
      await expect(store.deliveries.redeliver(webhook.id, eventIdOf(before.event))).rejects.toMatchObject({
        code: 'too_many_tests',
      });
      await store.deliveries.redeliver(webhook.id, eventIdOf(asked[1]?.event ?? before.event));
      expect(await readDue(webhook.id, never, 1000)).toHaveLength(testMessagesPendingMax);
    });

    test('a test is listed in its place between the events, on every page', async () => {
      const webhook = await add();
      await store.deliveries.createTestMessage(webhook.id);
      await createPlants(1n);
      await attemptNew(store, webhook, good);
      for (let count = 0; count < 3; count += 1) await store.deliveries.createTestMessage(webhook.id);
      await createPlants(2n, 3n);
      await attemptNew(store, { ...webhook, position: 1n }, good);
      const all = await listed(webhook.id);
      expect(all.map(({ event }) => keyTextOf(event))).toEqual(['3', '2', '1t4', '1t3', '1t2', '1', '0t1']);
      for (let limit = 1; limit <= all.length; limit += 1) {
        const pages: Delivery[] = [];
        for (let after: string | undefined; pages.length < all.length; ) {
          const page = await store.deliveries.list(webhook.id, { limit, ...(after !== undefined && { after }) });
          expect(page).not.toEqual([]);
          pages.push(...page);
          after = page.map(({ event }) => eventIdOf(event)).at(-1);
        }
        expect(pages).toEqual(all);
      }
      const [, , test] = all;
      const id = test ? eventIdOf(test.event) : '';
      for (const after of [`${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`, id.replace('t4', 't9')]) {
        const page = { limit: 10, after };
        await expect(store.deliveries.list(webhook.id, page)).rejects.toMatchObject({ code: 'invalid_cursor' });
        await expect(store.events.list(page)).rejects.toMatchObject({ code: 'invalid_cursor' });
      }
      // It is also a place in the log: events since its request come after it.
      const since = await store.events.list({ limit: 10, after: id });
      expect(since.map(({ sequence }) => sequence)).toEqual([2n, 3n]);
    });

    test('a test is pruned when it is old and settled, and no event with it', async () => {
      const webhook = await add();
      await createPlants(1n);
      await store.deliveries.createTestMessage((await add()).id);
      const tests = [
        await store.deliveries.createTestMessage(webhook.id),
        await store.deliveries.createTestMessage(webhook.id),
      ];
      const [before] = tests;
      if (!before) throw new Error('nothing was asked for');
      await settle(before, { attempts: [good], attemptsInRound: 1 });
      expect(await store.events.prune(before.event.timestamp, 100)).toBe(0);
      expect(await store.events.prune(never, 100)).toBe(1);
      expect((await listed(webhook.id)).map(({ event }) => keyTextOf(event))).toEqual(['1t3']);
      expect(await store.events.list({ limit: 10 })).toHaveLength(1);
      // The place of a removed test is still a valid cursor, although an older test exists.
      expect(await store.deliveries.list(webhook.id, { limit: 1, after: eventIdOf(before.event) })).toEqual([]);
    });

    test('a pending test is removed with its webhook, also when an attempt is recorded late', async () => {
      const webhook = await add();
      const before = await store.deliveries.createTestMessage(webhook.id);
      await store.webhooks.delete(webhook.id);
      await store.deliveries.record(
        [{ before, after: { ...before, attempts: [bad], attemptsInRound: 1 } }],
        new Map(),
        neverLeased,
      );
      expect(await readDue(webhook.id, never)).toEqual([]);
    });

    test('a redelivery is due immediately, and keeps all earlier attempts', async () => {
      const webhook = await add();
      await createPlants(1n);
      const [tried] = await attemptNew(store, webhook, good);
      const id = tried ? eventIdOf(tried.event) : '';
      const asked = await store.deliveries.redeliver(webhook.id, id);
      expect(asked).toMatchObject({ attempts: [good], attemptsInRound: 0 });
      expect(asked.requestedAt).toMatch(/Z$/);
      expect(await readDue(webhook.id, longAgo)).toEqual([asked]);
      for (const [webhookId, deliveryId] of [
        ['wh_none', id],
        [webhook.id, 'x'],
        [webhook.id, `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`],
        [(await add()).id, id],
      ] as const) {
        await expect(store.deliveries.redeliver(webhookId, deliveryId)).rejects.toMatchObject({ code: 'not_found' });
      }
    });

    test('a redelivery enables its webhook again, which continues at its position', async () => {
      const webhook = await add();
      await createPlants(1n);
      const [tried] = await attemptNew(store, webhook, { ...bad, status: 410 });
      await createPlants(2n);
      for (const ask of [
        () => store.deliveries.createTestMessage(webhook.id),
        () => store.deliveries.redeliver(webhook.id, tried ? eventIdOf(tried.event) : ''),
      ]) {
        await ask();
        const enabled = await store.webhooks.get(webhook.id);
        expect(enabled?.disabled).toBeUndefined();
        expect(await readUntried(enabled ?? webhook)).toMatchObject({ sequences: [2n] });
      }
    });

    test('a redelivery that is requested during a requested attempt stays requested, and enables the webhook', async () => {
      const webhook = await add();
      await createPlants(1n);
      const [tried] = await attemptNew(store, webhook, bad, '2026-02-01T00:00:00.000Z');
      const id = tried ? eventIdOf(tried.event) : '';
      const before = await store.deliveries.redeliver(webhook.id, id);
      await nextMillisecond();
      const again = await store.deliveries.redeliver(webhook.id, id);
      expect(again.requestedAt).not.toBe(before.requestedAt ?? '');
      const gone = { ...bad, status: 410 };
      await settle(before, { attempts: [bad, gone], attemptsInRound: 1 });
      expect(await readDue(webhook.id, longAgo)).toMatchObject([{ attempts: [bad, gone], attemptsInRound: 0 }]);
      expect((await store.webhooks.get(webhook.id))?.disabled).toBeUndefined();
    });

    test('a redelivery is not undone by an attempt that began before it', async () => {
      const webhook = await add();
      await createPlants(1n, 2n);
      const [first, second] = (await store.deliveries.readUntried(webhook.id, 0n, 10)).events;
      if (!first || !second) throw new Error('nothing is new');
      const gone = (event: typeof first, at: string) => {
        const before: Delivery = { webhookId: webhook.id, event, attempts: [], attemptsInRound: 0 };
        return { before, after: { ...before, attempts: [{ ...bad, at, status: 410 }], attemptsInRound: 1 } };
      };
      await store.deliveries.record([gone(first, bad.at)], new Map(), neverLeased);
      await store.deliveries.createTestMessage(webhook.id);
      await store.deliveries.record([gone(second, bad.at)], new Map(), neverLeased);
      expect((await store.webhooks.get(webhook.id))?.disabled).toBeUndefined();
      await store.deliveries.record([gone(second, never)], new Map(), neverLeased);
      expect((await store.webhooks.get(webhook.id))?.disabled).toEqual({ at: never, reason: 'gone' });
    });

    test('a redelivery keeps the start of the failures of its webhook', async () => {
      const webhook = await add();
      await createPlants(1n);
      await attemptNew(store, webhook, bad, '2026-02-01T00:00:00.000Z');
      await store.deliveries.createTestMessage(webhook.id);
      expect((await store.webhooks.get(webhook.id))?.failingSince).toBe(bad.at);
    });

    test('a redelivery that is requested during an attempt stays requested', async () => {
      const webhook = await add();
      await createPlants(1n);
      const [before] = await attemptNew(store, webhook, bad, '2026-02-01T00:00:00.000Z');
      if (!before) throw new Error('nothing was tried');
      await store.deliveries.redeliver(webhook.id, eventIdOf(before.event));
      const { nextAttemptAt: _, ...after } = { ...before, attempts: [bad, good], attemptsInRound: 2 };
      await store.deliveries.record([{ before, after }], new Map(), neverLeased);
      expect(await readDue(webhook.id, longAgo)).toMatchObject([{ attempts: [bad, good], attemptsInRound: 0 }]);
    });
  });

  describe('pruning', () => {
    const prune = () => store.events.prune(never, 100);
    const kept = async () => (await store.events.list({ limit: 100 })).map(({ sequence }) => sequence);

    test('events are not pruned while an enabled webhook has yet to be sent them', async () => {
      const webhook = await add();
      await createPlants(1n, 2n, 3n);
      expect(await prune()).toBe(0);
      await store.deliveries.record([], new Map([[webhook.id, 2n]]), neverLeased);
      expect(await prune()).toBe(2);
      expect(await kept()).toEqual([3n]);
    });

    test('events are not pruned while one of their deliveries will be retried', async () => {
      const webhook = await add();
      await createPlants(1n);
      await attemptNew(store, webhook, good);
      await createPlants(2n);
      await attemptNew(store, (await store.webhooks.get(webhook.id)) ?? webhook, bad, never);
      await createPlants(3n, 4n);
      await attemptNew(store, (await store.webhooks.get(webhook.id)) ?? webhook, good);
      expect(await prune()).toBe(1);
      expect(await kept()).toEqual([2n, 3n, 4n]);
      expect(await listed(webhook.id)).toHaveLength(3);
    });

    test('events are not pruned while a redelivery of them is pending, and then exactly up to the given time', async () => {
      const webhook = await add();
      await createPlants(1n);
      await attemptNew(store, webhook, good);
      const [event] = await store.events.list({ limit: 1 });
      await store.deliveries.redeliver(webhook.id, event ? eventIdOf(event) : '');
      await createPlants(2n);
      await attemptNew(store, (await store.webhooks.get(webhook.id)) ?? webhook, good);
      expect(await prune()).toBe(0);
      const [asked] = await readDue(webhook.id, longAgo);
      if (!asked) throw new Error('nothing was asked for');
      await settle(asked, {});
      expect(await store.events.prune(event?.timestamp ?? '', 100)).toBe(0);
      expect(await prune()).toBe(1);
    });

    test('an attempt that is recorded late does not restore a pruned event', async () => {
      const webhook = await add();
      await createPlants(1n, 2n, 3n);
      const { events } = await store.deliveries.readUntried(webhook.id, 0n, 1);
      const [event] = events;
      if (!event) throw new Error('nothing is new');
      const before: Delivery = { webhookId: webhook.id, event, attempts: [], attemptsInRound: 0 };
      await store.deliveries.createTestMessage(webhook.id);
      const [test] = await readDue(webhook.id, longAgo);
      if (!test) throw new Error('nothing was asked for');
      await settle(test, { attempts: [{ ...bad, at: never, status: 410 }], attemptsInRound: 1 });
      // Two events and the test.
      expect(await prune()).toBe(3);
      await store.deliveries.record(
        [{ before, after: { ...before, attempts: [bad], attemptsInRound: 1, nextAttemptAt: never } }],
        new Map([[webhook.id, 3n]]),
        neverLeased,
      );
      const asked = await store.deliveries.createTestMessage(webhook.id);
      expect(asked.nextAttemptAt).toEqual(expect.any(String));
      await settle(asked, { attempts: [good], attemptsInRound: 1 });
      await createPlants(4n, 5n);
      await store.deliveries.record([], new Map([[webhook.id, 5n]]), neverLeased);
      expect(await listed(webhook.id)).toHaveLength(1);
      // It does not block later ones either.
      expect(await prune()).toBe(3);
    });

    test('a cursor of events is valid until events after it are pruned, with any tests since', async () => {
      await createPlants(1n);
      const [event] = await store.events.list({ limit: 1 });
      const webhook = await add();
      for (let count = 0; count < 3; count += 1) await store.deliveries.createTestMessage(webhook.id);
      await store.webhooks.delete(webhook.id);
      await prune();
      expect(await store.events.list({ limit: 10, after: event ? eventIdOf(event) : '' })).toEqual([]);
    });

    test('events are pruned with their deliveries when the webhook that waits for them is disabled or deleted', async () => {
      const disabled = await add();
      const removed = await add();
      await createPlants(1n);
      await attemptNew(store, removed, bad, never);
      await attemptNew(store, disabled, { ...bad, status: 410 });
      await createPlants(2n, 3n);
      expect(await prune()).toBe(0);
      await store.webhooks.delete(removed.id);
      expect(await prune()).toBe(2);
      expect(await kept()).toEqual([3n]);
      expect(await listed(disabled.id)).toEqual([]);
    });
  });
});
