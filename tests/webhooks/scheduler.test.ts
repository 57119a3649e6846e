/** The scheduler with a real store, real receivers and real sockets; only the clock is set by hand. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { mintSecret } from '../../src/base/signature.ts';
import { type Delivery, retryDelaysSeconds, stateOf } from '../../src/domain/delivery.ts';
import { plantEventTypes } from '../../src/domain/event.ts';
import type { NewWebhook } from '../../src/domain/webhook.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics.ts';
import type { Store } from '../../src/store/store.ts';
import { createPost } from '../../src/webhooks/attempt.ts';
import { concurrencyMax, failuresInARowMax, readMax } from '../../src/webhooks/lane.ts';
import {
  attemptsMax,
  type Scheduler,
  type SchedulerOptions,
  shareBeside,
  sharedMax,
  startScheduler,
} from '../../src/webhooks/scheduler.ts';
import { createTestDatabase, onBothEngines, openTestStore, type TestDatabase } from '../support/engines.ts';
import { freePort } from '../support/port.ts';
import { parseMetrics, samplesOf, sampleValue } from '../support/prometheus.ts';
import { createReceiver, type Received, type Receiver, taken } from '../support/receiver.ts';
import { until } from '../support/until.ts';

const startMs = Date.parse('2026-01-01T00:00:00.000Z');
const pollMs = 5;
const allowed = { allowPrivate: true };

let store: Store;
let nowMs: number;
const running: Scheduler[] = [];
onBothEngines(() => {
  beforeEach(async () => {
    store = await openTestStore();
    nowMs = startMs;
  });
  afterEach(async () => {
    for (const scheduler of running.splice(0)) await scheduler.stop(0);
    await store.close();
  });

  const deliver = (options: Partial<SchedulerOptions> = {}): Scheduler => {
    const scheduler = startScheduler({
      store,
      post: createPost(allowed),
      log: createLog('silent'),
      clock: { nowMs: () => nowMs },
      random: () => 0,
      pollMs,
      ...options,
    });
    running.push(scheduler);
    return scheduler;
  };

  const add = (receiver: Receiver, options: Partial<NewWebhook> = {}) =>
    store.webhooks.create({ url: receiver.url, events: plantEventTypes, secret: mintSecret(), ...options });

  const createPlants = async (count: number, first = 1): Promise<void> => {
    for (let id = first; id < first + count; id += 1) await store.plants.create({ id: BigInt(id), name: 'n' });
  };

  const deliveriesOf = (id: string): Promise<Delivery[]> => store.deliveries.list(id, { limit: 1000 });
  const statesOf = async (id: string): Promise<string[]> => (await deliveriesOf(id)).map(stateOf);

  /** The only delivery of a webhook, once it was tried so often. */
  const afterTries = async (id: string, tries: number): Promise<Delivery> => {
    let delivery: Delivery | undefined;
    await until(async () => {
      [delivery] = await deliveriesOf(id);
      return delivery?.attempts.length === tries;
    });
    if (!delivery) throw new Error('there is no delivery');
    return delivery;
  };

  /** Enough turns of the loop to do what is due, were anything due. */
  const severalTurns = (): Promise<void> => Bun.sleep(20 * pollMs);

  const idsOf = (received: readonly Received[]): string[] => received.map(({ headers }) => headers['webhook-id'] ?? '');
  const status = (code: number, headers: Record<string, string> = {}) => new Response('no', { status: code, headers });

  describe('what is sent', () => {
    test('every event of the subscribed types is sent, signed and exact', async () => {
      using receiver = createReceiver();
      using other = createReceiver();
      const secret = mintSecret();
      const { id } = await add(receiver, { secret });
      await add(other, { events: ['plant.deleted'] });
      deliver();
      await store.plants.create({ id: 9223372036854775807n, name: 'Monstera', tag: 'tropical' });
      await store.plants.update(9223372036854775807n, { tag: null });
      await store.plants.delete(9223372036854775807n);
      await receiver.got(3);
      await other.got(1);
      const messages = receiver.received.map(({ headers, body }) => {
        expect(headers['content-type']).toBe('application/json');
        new Webhook(secret).verify(body, headers);
        expect(body).toContain('"id":9223372036854775807');
        return JSON.parse(body.replace('9223372036854775807', '1'));
      });
      const timestamp = expect.stringMatching(/Z$/);
      expect(messages.sort((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
        { type: 'plant.created', timestamp, id: 1, name: 'Monstera', tag: 'tropical' },
        { type: 'plant.deleted', timestamp, id: 1 },
        { type: 'plant.updated', timestamp, id: 1, name: 'Monstera' },
      ]);
      expect(new Set(idsOf(receiver.received)).size).toBe(3);
      expect(other.received[0]?.body).toContain('plant.deleted');
      await until(async () => (await statesOf(id)).join() === 'delivered,delivered,delivered');
      expect((await store.webhooks.get(id))?.position).toBe(3n);
    });

    test('events that were written before the sender started are sent', async () => {
      using receiver = createReceiver();
      await add(receiver);
      await createPlants(3);
      deliver();
      await receiver.got(3);
    });

    test('a message is signed with the new secret and the old one after a rotation', async () => {
      using receiver = createReceiver();
      const [before, after] = [mintSecret(), mintSecret()];
      const { id } = await add(receiver, { secret: before });
      await store.webhooks.rotate(id, after);
      deliver();
      await createPlants(1);
      const [message] = await receiver.got(1);
      for (const secret of [before, after]) new Webhook(secret).verify(message?.body ?? '', message?.headers ?? {});
      expect(message?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    });

    test('an event and a test are sent as soon as they are written, without a poll', async () => {
      using receiver = createReceiver();
      deliver({ pollMs: 3_600_000 });
      const { id } = await add(receiver);
      await createPlants(1);
      await receiver.got(1);
      await store.deliveries.test(id);
      await receiver.got(2);
    });

    test('a test is sent when it is requested, without any event', async () => {
      using receiver = createReceiver();
      const { id } = await add(receiver);
      deliver();
      await store.deliveries.test(id);
      const [message] = await receiver.got(1);
      expect(JSON.parse(message?.body ?? '')).toEqual({ type: 'webhook.test', timestamp: expect.stringMatching(/Z$/) });
      await until(async () => (await statesOf(id)).join() === 'delivered');
    });
  });

  describe('the scheduler', () => {
    const never = 3_600_000;

    test('an event that is written during a pass is sent without a poll', async () => {
      using receiver = createReceiver();
      await add(receiver);
      let isFirst = true;
      const readUntried: Store['deliveries']['readUntried'] = async (...args) => {
        const page = await store.deliveries.readUntried(...args);
        if (isFirst) await createPlants(2);
        isFirst = false;
        return page;
      };
      const deliveries = { ...store.deliveries, readUntried };
      deliver({ pollMs: never, store: { ...store, deliveries } });
      await receiver.got(2);
    });

    test('the poll finds what another process has written', async () => {
      await using database = await createTestDatabase();
      await store.close();
      store = await openTestStore(database.url);
      const other = await openTestStore(database.url);
      using receiver = createReceiver();
      deliver();
      await other.webhooks.create({ url: receiver.url, events: plantEventTypes, secret: mintSecret() });
      await other.plants.create({ id: 1n, name: 'n' });
      await receiver.got(1);
      await other.close();
    });

    test('the next piece of a long log is read without waiting for the poll', async () => {
      using receiver = createReceiver();
      await add(receiver, { events: ['plant.deleted'] });
      await createPlants(readMax + 50);
      await store.plants.delete(1n);
      deliver({ pollMs: never });
      await receiver.got(1);
    });

    test('the webhooks are read again in the next pass when they could not be read', async () => {
      using receiver = createReceiver();
      await add(receiver);
      let times = 0;
      const list: Store['webhooks']['list'] = () => {
        times += 1;
        return times === 1 ? Promise.reject(new Error('no')) : store.webhooks.list();
      };
      deliver({ pollMs: never, store: { ...store, webhooks: { ...store.webhooks, list } } });
      await createPlants(1);
      await receiver.got(1);
    });

    test('the log is read once for all lanes at its end', async () => {
      using receiver = createReceiver();
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) ids.push((await add(receiver)).id);
      let readings = 0;
      const read: Store['events']['read'] = async (after, limit) => {
        const page = await store.events.read(after, limit);
        if (page.events.length > 0) readings += 1;
        return page;
      };
      deliver({ pollMs: never, store: { ...store, events: { ...store.events, read } } });
      await createPlants(1);
      await receiver.got(3);
      for (const id of ids) await until(async () => (await statesOf(id)).join() === 'delivered');
      readings = 0;
      await createPlants(1, 2);
      await receiver.got(6);
      expect(readings).toBe(1);
    });

    test('the position of a webhook without matching events is recorded', async () => {
      using receiver = createReceiver();
      const { id } = await add(receiver, { events: ['plant.deleted'] });
      deliver();
      await createPlants(3);
      await until(async () => (await store.webhooks.get(id))?.position === 3n);
      expect(receiver.received).toEqual([]);
    });

    test('a webhook that was disabled is logged once, and one that was deleted is not', async () => {
      const hanging = Promise.withResolvers<Response>();
      // The second is answered once the third is in flight.
      const gone = async (): Promise<Response> => {
        await receiver.got(3);
        return status(410);
      };
      using receiver = createReceiver((_received, count) => [taken, gone][count]?.() ?? hanging.promise);
      const { id } = await add(receiver);
      const deleted = await add(receiver, { events: ['plant.deleted'] });
      const warnings: object[] = [];
      const log = createLog('silent');
      log.warn = (entry: object) => void warnings.push(entry);
      deliver({ log });
      await createPlants(3);
      await until(() => warnings.length > 0);
      await store.webhooks.delete(deleted.id);
      // One attempt is in flight, so the lane is still there, and closed at each poll.
      await severalTurns();
      hanging.resolve(taken());
      expect(warnings).toEqual([{ webhookId: id, reason: 'gone' }]);
    });

    test('the lane of a deleted webhook is discarded once it has nothing in flight', async () => {
      using receiver = createReceiver();
      const webhook = await add(receiver);
      let listed = [webhook];
      let turns = 0;
      const list: Store['webhooks']['list'] = async () => {
        turns += 1;
        return listed;
      };
      deliver({ store: { ...store, webhooks: { ...store.webhooks, list } } });
      await createPlants(1);
      await until(async () => (await statesOf(webhook.id)).join() === 'delivered');
      listed = [];
      const before = turns;
      await until(() => turns > before + 1);
      await createPlants(1, 2);
      // A new lane starts at this position; the old one had not read so far.
      listed = [{ ...webhook, position: 2n }];
      await createPlants(1, 3);
      await receiver.got(2);
      expect(receiver.received[1]?.body).toContain('"id":3');
    });
  });

  test('attempts are counted by outcome, and the metric of leases has those of the sender', async () => {
    const metrics = createMetrics();
    using receiver = createReceiver((_received, count) => [() => status(500), () => status(302)][count]?.() ?? taken());
    await add(receiver);
    await store.webhooks.create({
      url: `http://127.0.0.1:${await freePort()}/`,
      events: ['plant.created'],
      secret: mintSecret(),
    });
    const scheduler = deliver({ metrics });
    await createPlants(3);
    const read = async () => parseMetrics(await metrics.scrape());
    const count = 'plant_store_webhook_attempt_duration_seconds_count';
    await until(async () => sampleValue(await read(), count) === 6);
    const samples = await read();
    const outcomes = samplesOf(samples, 'plant_store_webhook_attempts_total').filter(({ value }) => value > 0);
    expect(outcomes.map(({ labels, value }) => [labels['outcome'], value])).toEqual([
      ['2xx', 1],
      ['3xx', 1],
      ['5xx', 1],
      ['connection', 3],
    ]);
    expect(sampleValue(samples, 'plant_store_leases')).toBe(2);
    await scheduler.stop(0);
    expect(sampleValue(await read(), 'plant_store_leases')).toBe(0);
  });

  test('the lane of a webhook that is disabled and enabled again still has what is in flight', async () => {
    const hanging = Promise.withResolvers<Response>();
    using receiver = createReceiver(() => hanging.promise);
    const webhook = await add(receiver);
    let listed = [webhook];
    let times = 0;
    const list: Store['webhooks']['list'] = async () => {
      times += 1;
      return listed;
    };
    const nextTurn = async (): Promise<void> => {
      const before = times;
      await until(() => times > before + 1);
    };
    deliver({ store: { ...store, webhooks: { ...store.webhooks, list } } });
    await createPlants(1);
    await receiver.got(1);
    listed = [];
    await nextTurn();
    listed = [webhook];
    await nextTurn();
    hanging.resolve(taken());
    await until(async () => (await statesOf(webhook.id)).join() === 'delivered');
    expect(receiver.received).toHaveLength(1);
  });

  describe('the share of a lane', () => {
    /** Each lane in turn takes all that it may have, up to its own limit. */
    const fill = (counts: readonly number[]): number[] =>
      counts.reduce<number[]>(
        (filled, count, lane) => {
          const others = filled.filter((_, other) => other !== lane);
          return filled.with(lane, Math.max(count, Math.min(concurrencyMax, shareBeside(others))));
        },
        [...counts],
      );

    test('the lanes share the attempts evenly, and each lane may have at least one', () => {
      const counts = fill(Array<number>(100).fill(0));
      const full = sharedMax / concurrencyMax;
      expect(counts.slice(0, full)).toEqual(Array(full).fill(concurrencyMax));
      expect(counts[full]).toBe(Math.floor(sharedMax / (full + 1)));
      expect(Math.min(...counts)).toBe(1);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(attemptsMax + counts.length);
    });

    test('the share of a lane grows when the attempts of others have ended', () => {
      const [first = 0] = fill(Array<number>(64).fill(0));
      expect(first).toBe(concurrencyMax);
      expect(shareBeside([first, ...Array<number>(63).fill(0)])).toBeGreaterThanOrEqual(concurrencyMax);
    });

    test('a lane has no more attempts than the limit of the process leaves, except its first one', () => {
      expect(shareBeside([attemptsMax - 3])).toBe(3);
      expect(shareBeside([attemptsMax - 1])).toBe(1);
      expect(shareBeside([attemptsMax])).toBe(1);
    });
  });

  describe('a delivery that fails', () => {
    test('a failing delivery is retried on schedule, with the same id and body, until its last attempt', async () => {
      using receiver = createReceiver(() => status(500));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      for (const [index, delaySeconds] of retryDelaysSeconds.entries()) {
        const { nextAttemptAt = '' } = await afterTries(id, index + 1);
        expect(Date.parse(nextAttemptAt) - nowMs).toBe(delaySeconds * 1000);
        nowMs += delaySeconds * 1000 - 1;
        await severalTurns();
        expect(receiver.received).toHaveLength(index + 1);
        nowMs += 1;
      }
      const last = await afterTries(id, 10);
      expect(last.nextAttemptAt).toBeUndefined();
      expect(stateOf(last)).toBe('failed');
      nowMs += 1000 * 86_400_000;
      await severalTurns();
      expect(receiver.received).toHaveLength(10);
      expect(new Set(idsOf(receiver.received)).size).toBe(1);
      expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
      expect((nowMs - 1000 * 86_400_000 - startMs) / 3_600_000).toBeCloseTo(75.6, 1);
      expect((await store.webhooks.get(id))?.disabled?.reason).toBe('failing');
    });

    test('a retry is delayed a little longer at random', async () => {
      using receiver = createReceiver(() => status(500));
      const { id } = await add(receiver);
      deliver({ random: () => 1 });
      await createPlants(1);
      const { nextAttemptAt = '' } = await afterTries(id, 1);
      expect(Date.parse(nextAttemptAt) - nowMs).toBe(5500);
    });

    test('a delivery is delivered when a later attempt is a success', async () => {
      using receiver = createReceiver((_received, count) => (count === 0 ? status(500) : taken()));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      await afterTries(id, 1);
      expect((await store.webhooks.get(id))?.failingSince).toBeString();
      nowMs += 5000;
      const delivery = await afterTries(id, 2);
      expect(stateOf(delivery)).toBe('delivered');
      expect(delivery.attempts).toMatchObject([{ status: 500, excerpt: 'no' }, { status: 204 }]);
      expect((await store.webhooks.get(id))?.failingSince).toBeUndefined();
    });

    test.each([301, 302, 400, 404, 429, 500, 503])('a delivery that is answered with %d is retried', async (code) => {
      using receiver = createReceiver((_received, count) => (count === 0 ? status(code) : taken()));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      await afterTries(id, 1);
      nowMs += 5000;
      expect(stateOf(await afterTries(id, 2))).toBe('delivered');
    });

    test.each([
      [429, '3600', 3_600_000],
      [503, '3600', 3_600_000],
      [503, '1', 5000],
      [503, '9999999', 86_400_000],
      [500, '3600', 5000],
    ])(
      'a delivery that is answered with %d and Retry-After: %s is retried after %d ms',
      async (code, retryAfter, expected) => {
        using receiver = createReceiver(() => status(code, { 'retry-after': retryAfter }));
        const { id } = await add(receiver);
        deliver();
        await createPlants(1);
        const { nextAttemptAt = '' } = await afterTries(id, 1);
        expect(Date.parse(nextAttemptAt) - nowMs).toBe(expected);
      },
    );

    test('an answer with Retry-After pauses the other deliveries of its webhook, but not those that are requested', async () => {
      using receiver = createReceiver((_received, count) =>
        count === 0 ? status(429, { 'retry-after': '60' }) : taken(),
      );
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      await afterTries(id, 1);
      await createPlants(1, 2);
      await severalTurns();
      expect(receiver.received).toHaveLength(1);
      await store.deliveries.test(id);
      await receiver.got(2);
      nowMs += 60_000;
      await receiver.got(4);
    });

    test('after 410 a delivery is not retried, and nothing else is sent', async () => {
      using receiver = createReceiver(() => status(410));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      expect(stateOf(await afterTries(id, 1))).toBe('failed');
      expect((await store.webhooks.get(id))?.disabled?.reason).toBe('gone');
      await createPlants(3, 2);
      nowMs += 86_400_000;
      await severalTurns();
      expect(receiver.received).toHaveLength(1);
    });

    test('after 410 all later events are sent once the webhook is enabled again', async () => {
      using receiver = createReceiver((_received, count) => (count === 0 ? status(410) : taken()));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      await afterTries(id, 1);
      await createPlants(2, 2);
      const [gone] = idsOf(receiver.received);
      await store.deliveries.redeliver(id, gone ?? '');
      await until(async () => (await statesOf(id)).join() === 'delivered,delivered,delivered');
      expect(idsOf(receiver.received).filter((sent) => sent === gone)).toHaveLength(2);
    });
  });

  describe('a receiver that is slow or dead', () => {
    test('70 hanging receivers delay no other receiver', async () => {
      const hanging = Promise.withResolvers<Response>();
      const held = Promise.withResolvers<Response>();
      using dead = createReceiver(() => hanging.promise);
      using alive = createReceiver((_received, count) => (count < 30 ? taken() : held.promise));
      for (let count = 0; count < 70; count += 1) await add(dead);
      await add(alive);
      deliver();
      await createPlants(100);
      await alive.got(30 + 1);
      await until(() => dead.received.length === 70);
      await severalTurns();
      expect(dead.received).toHaveLength(70);
      hanging.resolve(taken());
      held.resolve(taken());
      await alive.got(100);
    });

    test('receivers that are slow leave a new one its share', async () => {
      let atOnce = 0;
      let atOnceMax = 0;
      let isSlow = false;
      const hanging = Promise.withResolvers<Response>();
      using slow = createReceiver(() => (isSlow ? hanging.promise : taken()));
      for (let count = 0; count < 8; count += 1) await add(slow);
      using alive = createReceiver(async () => {
        atOnce += 1;
        atOnceMax = Math.max(atOnceMax, atOnce);
        // Longer than a pass of the sender takes on either engine.
        await Bun.sleep(100);
        atOnce -= 1;
        return taken();
      });
      deliver();
      await createPlants(20);
      await slow.got(160);
      // Each has earned all that it may have by now, and takes its share.
      isSlow = true;
      await createPlants(20, 21);
      await slow.got(160 + sharedMax);
      await add(alive);
      await createPlants(50, 41);
      await alive.got(50);
      expect(atOnceMax).toBeGreaterThanOrEqual(Math.floor(sharedMax / 9));
      hanging.resolve(taken());
    });

    test('a slow receiver has a limited number of concurrent attempts, and gets every message', async () => {
      let atOnce = 0;
      let atOnceMax = 0;
      using slow = createReceiver(async () => {
        atOnce += 1;
        atOnceMax = Math.max(atOnceMax, atOnce);
        // Longer than a pass of the sender takes on either engine.
        await Bun.sleep(100);
        atOnce -= 1;
        return taken();
      });
      await add(slow);
      await createPlants(60);
      deliver();
      await slow.got(60);
      expect(atOnceMax).toBeLessThanOrEqual(concurrencyMax);
      expect(atOnceMax).toBeGreaterThan(concurrencyMax / 2);
      expect(new Set(idsOf(slow.received)).size).toBe(60);
    });

    test('a failing receiver gets fewer concurrent attempts, and one a second once it counts as dead', async () => {
      let atOnce = 0;
      const seen: number[] = [];
      using failing = createReceiver(async () => {
        atOnce += 1;
        seen.push(atOnce);
        await Bun.sleep(2);
        atOnce -= 1;
        return status(500);
      });
      const { id } = await add(failing);
      await createPlants(200);
      deliver();
      await failing.got(failuresInARowMax + 1);
      await severalTurns();
      expect(Math.max(...seen)).toBeLessThanOrEqual(concurrencyMax);
      expect(seen.slice(-2)).toEqual([1, 1]);
      expect(failing.received).toHaveLength(failuresInARowMax + 1);
      nowMs += 1000;
      await failing.got(failuresInARowMax + 2);
      await severalTurns();
      expect(failing.received).toHaveLength(failuresInARowMax + 2);
      // A person who asks is not made to wait.
      await store.deliveries.test(id);
      await failing.got(failuresInARowMax + 3);
    });
  });

  describe('after a crash', () => {
    test('after a crash the messages in flight are sent again with the same id, and acknowledged ones are not', async () => {
      await using database = await createTestDatabase();
      await store.close();
      store = await openTestStore(database.url);
      const hanging = Promise.withResolvers<Response>();
      using receiver = createReceiver((_received, count) => (count === 1 ? hanging.promise : taken()));
      const { id } = await add(receiver);
      const crashed = deliver();
      await createPlants(3);
      await receiver.got(3);
      await until(async () => (await statesOf(id)).length === 2);
      const [, underWay] = idsOf(receiver.received);
      // As after a crash: nothing of what is under way is written down.
      await crashed.stop(0);
      expect(await statesOf(id)).toHaveLength(2);
      await store.close();
      store = await openTestStore(database.url);
      deliver();
      await until(async () => (await statesOf(id)).length === 3);
      expect(idsOf(receiver.received).slice(3)).toEqual([underWay ?? '']);
      hanging.resolve(taken());
    });

    test('no waiting event is skipped at a stop, however many there are', async () => {
      using receiver = createReceiver(async () => {
        await Bun.sleep(2);
        return taken();
      });
      const { id } = await add(receiver);
      await createPlants(500);
      for (const patience of [30, 60, 90]) {
        const scheduler = deliver();
        await receiver.got(patience);
        await scheduler.stop(10_000);
        // What was under way came to its end, and nothing else was begun.
        expect(receiver.received.length).toBeLessThanOrEqual(patience + 2 * concurrencyMax);
        const { position } = (await store.webhooks.get(id)) ?? {};
        expect(Number(position)).toBeLessThanOrEqual(receiver.received.length);
      }
      deliver();
      await receiver.got(500);
      await until(async () => (await statesOf(id)).length === 500);
      expect(new Set(idsOf(receiver.received)).size).toBe(500);
    });

    test('outcomes are recorded at a stop, even if the webhooks cannot be read', async () => {
      const slow = Promise.withResolvers<Response>();
      using receiver = createReceiver(() => slow.promise);
      const { id } = await add(receiver);
      let isBroken = false;
      const list: Store['webhooks']['list'] = () =>
        isBroken ? Promise.reject(new Error('no')) : store.webhooks.list();
      const scheduler = deliver({ store: { ...store, webhooks: { ...store.webhooks, list } } });
      await createPlants(1);
      await receiver.got(1);
      isBroken = true;
      await severalTurns();
      slow.resolve(taken());
      await scheduler.stop(10_000);
      expect(await statesOf(id)).toEqual(['delivered']);
    });

    test('a stop of the sender waits for attempts in progress', async () => {
      const slow = Promise.withResolvers<Response>();
      using receiver = createReceiver(() => slow.promise);
      const { id } = await add(receiver);
      const scheduler = deliver();
      await createPlants(1);
      await receiver.got(1);
      const stopping = scheduler.stop(10_000);
      await createPlants(1, 2);
      slow.resolve(taken());
      await stopping;
      expect(await statesOf(id)).toEqual(['delivered']);
      expect(receiver.received).toHaveLength(1);
    });

    test('a stop while the sender reads the log starts no attempt', async () => {
      const reading = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      using receiver = createReceiver();
      const { id } = await add(receiver);
      await createPlants(1);
      const readUntried: Store['deliveries']['readUntried'] = async (...range) => {
        reading.resolve();
        await released.promise;
        return store.deliveries.readUntried(...range);
      };
      const scheduler = deliver({ store: { ...store, deliveries: { ...store.deliveries, readUntried } } });
      await reading.promise;
      const stopping = scheduler.stop(10_000);
      released.resolve();
      await stopping;
      expect(receiver.received).toEqual([]);
      expect(await statesOf(id)).toEqual([]);
    });
  });

  describe('several senders', () => {
    /** Starts a sender with a store of its own, as another process has. `sent` has the URLs to which it has sent. */
    const startSender = async (url: string, options: Partial<SchedulerOptions> = {}) => {
      const own = await openTestStore(url);
      const sent: string[] = [];
      const post = createPost(allowed);
      const counting: SchedulerOptions['post'] = (message, stopped) => {
        sent.push(message.url);
        return post(message, stopped);
      };
      return { sent, scheduler: deliver({ store: own, post: counting, ...options }) };
    };

    /** Adds so many webhooks, each with a URL of its own. */
    const addMany = async (receiver: Receiver, count: number): Promise<void> => {
      for (let number = 0; number < count; number += 1)
        await store.webhooks.create({
          url: `${receiver.url}?${number}`,
          events: plantEventTypes,
          secret: mintSecret(),
        });
    };

    beforeEach(async () => {
      await store.close();
      const database = await createTestDatabase();
      databases.push(database);
      store = await openTestStore(database.url);
    });
    afterEach(async () => {
      for (const scheduler of running.splice(0)) await scheduler.stop(0);
      await store.close();
    });
    afterAll(async () => {
      for (const database of databases.splice(0)) await database[Symbol.asyncDispose]();
    });
    const databases: TestDatabase[] = [];
    const url = (): string => databases.at(-1)?.url ?? '';

    test('several senders share the webhooks evenly, also when one joins later, and send each event once', async () => {
      using receiver = createReceiver();
      await addMany(receiver, 6);
      const senders = [await startSender(url()), await startSender(url())];
      let plants = 0;
      /** How many messages of the next event each sender has sent. */
      const countNext = async (): Promise<number[]> => {
        const before = senders.map(({ sent }) => sent.length);
        plants += 1;
        await createPlants(1, plants);
        await receiver.got(6 * plants);
        return senders.map(({ sent }, index) => sent.length - (before[index] ?? 0));
      };
      await until(async () => (await countNext()).join() === '3,3');
      senders.push(await startSender(url()));
      await until(async () => (await countNext()).join() === '2,2,2');
      expect(receiver.received).toHaveLength(6 * plants);
      expect(new Set(receiver.received.map(({ path, headers }) => `${path} ${headers['webhook-id']}`)).size).toBe(
        6 * plants,
      );
    });

    test('a stopping sender releases its leases at once, except those with an attempt in progress', async () => {
      const hanging = Promise.withResolvers<Response>();
      using slow = createReceiver(() => hanging.promise);
      using receiver = createReceiver();
      await add(slow);
      await addMany(receiver, 3);
      const first = await startSender(url());
      await createPlants(1);
      await receiver.got(3);
      await slow.got(1);
      const stopping = first.scheduler.stop(10_000);
      const other = await startSender(url());
      await createPlants(1, 2);
      await receiver.got(6);
      expect(other.sent).toHaveLength(3);
      expect(slow.received).toHaveLength(1);
      hanging.resolve(taken());
      await stopping;
      await slow.got(2);
      expect(new Set(idsOf(slow.received)).size).toBe(2);
      expect(first.sent).toHaveLength(4);
    });

    test('a sender whose stop aborts an attempt releases the lease, so that another one sends again at once', async () => {
      const hanging = Promise.withResolvers<Response>();
      using receiver = createReceiver((_received, count) => (count === 0 ? hanging.promise : taken()));
      const { id } = await add(receiver);
      const first = await startSender(url());
      await createPlants(1);
      await receiver.got(1);
      await first.scheduler.stop(0);
      const leases = await store.leases.renew({ sender: 'other', released: new Set(), isLeaving: false });
      expect([...leases.held.keys()]).toEqual([id]);
      expect(await statesOf(id)).toEqual([]);
      hanging.resolve(taken());
    });

    test('a sender starts no attempt once its leases have expired without being renewed', async () => {
      using receiver = createReceiver();
      await add(receiver);
      let isAway = false;
      const renew: Store['leases']['renew'] = async (request) => {
        if (isAway) throw new Error('away');
        const leases = await store.leases.renew(request);
        return { ...leases, held: new Map([...leases.held].map(([id, held]) => [id, { ...held, validMs: 200 }])) };
      };
      deliver({ store: { ...store, leases: { renew } } });
      await createPlants(1);
      await receiver.got(1);
      isAway = true;
      await Bun.sleep(250);
      await createPlants(1, 2);
      await severalTurns();
      expect(receiver.received).toHaveLength(1);
      isAway = false;
      await receiver.got(2);
    });

    test('a sender that has lost a lease does not record its deliveries in flight', async () => {
      const hanging = Promise.withResolvers<Response>();
      using receiver = createReceiver((_received, count) => (count === 0 ? hanging.promise : taken()));
      const { id } = await add(receiver);
      const warnings: unknown[] = [];
      const log = createLog('silent');
      log.warn = (...entry: unknown[]) => void warnings.push(entry);
      let sender = '';
      /** Pending while the process is paused. */
      let untilContinued = Promise.resolve();
      const renew: Store['leases']['renew'] = async (request) => {
        sender = request.sender;
        await untilContinued;
        return store.leases.renew(request);
      };
      const loser = deliver({ store: { ...store, leases: { renew } }, log });
      await createPlants(1);
      await receiver.got(1);
      // As when it was paused for so long that another process has the lease.
      const paused = Promise.withResolvers<void>();
      untilContinued = paused.promise;
      await store.leases.renew({ sender, released: new Set([id]), isLeaving: true });
      const { held } = await store.leases.renew({ sender: '0', released: new Set(), isLeaving: false });
      expect([...held.keys()]).toEqual([id]);
      paused.resolve();
      await until(() => warnings.length > 0);
      expect(warnings).toEqual([[{ webhookId: id }, 'lease lost']]);
      hanging.resolve(taken());
      await loser.stop(10_000);
      expect(await deliveriesOf(id)).toEqual([]);
      expect((await store.webhooks.get(id))?.position).toBe(0n);
    });
  });

  describe('the clock', () => {
    test('a retry that was scheduled by a clock far ahead is not delayed forever', async () => {
      using receiver = createReceiver((_received, count) => (count === 0 ? status(500) : taken()));
      const { id } = await add(receiver);
      nowMs += 365 * 86_400_000;
      const wrong = deliver();
      await createPlants(1);
      await afterTries(id, 1);
      await wrong.stop(0);
      nowMs = startMs;
      deliver();
      expect(stateOf(await afterTries(id, 2))).toBe('delivered');
    });
  });

  describe('a store that cannot write', () => {
    test('no outcome is lost while the store writes slowly', async () => {
      using receiver = createReceiver(async (_received, count) => {
        if (count < 8) return taken();
        await Bun.sleep(count === 8 ? 10 : 60);
        return status(500);
      });
      const { id } = await add(receiver);
      await createPlants(12);
      let slowTimes = 0;
      const record: Store['deliveries']['record'] = async (changes, ...rest) => {
        // As when another process holds the lock: it takes long, and then succeeds.
        if (changes.some(({ after }) => after.event.sequence > 8n) && slowTimes === 0) {
          slowTimes += 1;
          await Bun.sleep(200);
        }
        await store.deliveries.record(changes, ...rest);
      };
      deliver({ store: { ...store, deliveries: { ...store.deliveries, record } } });
      await until(async () => (await statesOf(id)).length === 12);
      expect((await statesOf(id)).filter((state) => state === 'pending')).toHaveLength(4);
    });

    test('a store that cannot write does not delay a stop', async () => {
      using receiver = createReceiver();
      await add(receiver);
      const record = () => Promise.reject(new Error('no room'));
      const scheduler = deliver({ store: { ...store, deliveries: { ...store.deliveries, record } } });
      await createPlants(1);
      await receiver.got(1);
      await scheduler.stop(10_000);
    });

    test('nothing is sent while the store cannot write, and sent messages are recorded later and not sent again', async () => {
      using receiver = createReceiver();
      const { id } = await add(receiver);
      let isBroken = true;
      const record: Store['deliveries']['record'] = (...progress) =>
        isBroken ? Promise.reject(new Error('no room')) : store.deliveries.record(...progress);
      await createPlants(30);
      deliver({ store: { ...store, deliveries: { ...store.deliveries, record } } });
      await receiver.got(1);
      await severalTurns();
      // A pass that was under way when the first one ended may have sent another.
      const sent = receiver.received.length;
      expect([1, 2]).toContain(sent);
      await severalTurns();
      expect(receiver.received).toHaveLength(sent);
      isBroken = false;
      await receiver.got(30);
      await until(async () => (await statesOf(id)).length === 30);
      expect(new Set(idsOf(receiver.received)).size).toBe(30);
      expect(receiver.received).toHaveLength(30);
    });
  });
});
