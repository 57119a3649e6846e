/** The scheduler with a real store, real receivers and real sockets. Only the clock is simulated. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { generateSecret } from '../../src/base/signature.ts';
import { type Delivery, stateOf } from '../../src/deliveries/delivery.ts';
import { plantEventTypes } from '../../src/events/event.ts';
import { createLog } from '../../src/log.ts';
import { createPost } from '../../src/sender/attempt.ts';
import { readMax } from '../../src/sender/lane.ts';
import { type Scheduler, type SchedulerOptions, startScheduler } from '../../src/sender/scheduler.ts';
import {
  attemptsInFlightMax,
  createShares,
  type Load,
  noLoad,
  sharedMax,
  sharedMaxOfQuick,
  shareOfLane,
} from '../../src/sender/share.ts';
import { concurrencyMax, failuresInARowMax, inFlightMsMax } from '../../src/sender/throttle.ts';
import type { Store } from '../../src/store/store.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { retryDelaysSeconds } from '../../src/webhooks/retries.ts';
import { type NewWebhook, webhooksMax } from '../../src/webhooks/webhook.ts';
import { freePort } from '../support/network/port.ts';
import { stopClock } from '../support/stopped-clock.ts';
import type { TestDatabase } from '../support/store/engine.ts';
import { createTestDatabase, onBothEngines, openTestStore } from '../support/store/engines.ts';
import { parseMetrics, samplesOf, sampleValue } from '../support/telemetry/prometheus.ts';
import { until } from '../support/until.ts';
import { createReceiver, type Received, type Receiver, taken } from '../support/webhooks/receiver.ts';

const startMs = Date.parse('2026-01-01T00:00:00.000Z');
const pollMs = 20;
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

  const deliver = ({ store: given = store, ...options }: Partial<SchedulerOptions> = {}): Scheduler => {
    const list: Store['webhooks']['list'] = () => {
      polls += 1;
      return given.webhooks.list();
    };
    const scheduler = startScheduler({
      store: { ...given, webhooks: { ...given.webhooks, list } },
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

  const add = (receiver: Pick<Receiver, 'url'>, options: Partial<NewWebhook> = {}) =>
    store.webhooks.create({ url: receiver.url, events: plantEventTypes, secret: generateSecret(), ...options });

  const createPlants = async (count: number, first = 1): Promise<void> => {
    for (let id = first; id < first + count; id += 1) await store.plants.create({ id: BigInt(id), name: 'n' });
  };

  const deliveriesOf = (id: string): Promise<Delivery[]> => store.deliveries.list(id, { limit: 1000 });
  const statesOf = async (id: string): Promise<string[]> => (await deliveriesOf(id)).map(stateOf);

  /** The only delivery of a webhook, after this number of attempts. */
  const afterAttempts = async (id: string, attempts: number): Promise<Delivery> => {
    let delivery: Delivery | undefined;
    await until(async () => {
      [delivery] = await deliveriesOf(id);
      return delivery?.attempts.length === attempts;
    });
    if (!delivery) throw new Error('there is no delivery');
    return delivery;
  };

  let polls = 0;
  /** Waits for several polls of the last sender, enough for any due work. */
  const severalTurns = (): Promise<void> => {
    const before = polls;
    return until(() => polls >= before + 6);
  };

  const idsOf = (received: readonly Received[]): string[] => received.map(({ headers }) => headers['webhook-id'] ?? '');
  const status = (code: number, headers: Record<string, string> = {}) => new Response('no', { status: code, headers });

  describe('messages', () => {
    test('every event of the subscribed types is sent with a signature and its exact id', async () => {
      using receiver = createReceiver();
      using other = createReceiver();
      const secret = generateSecret();
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

    test('after a rotation, a message is signed with the new secret and the old one', async () => {
      using receiver = createReceiver();
      const [before, after] = [generateSecret(), generateSecret()];
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
      await store.deliveries.createTestMessage(id);
      await receiver.got(2);
    });

    test('a test is sent when a client requests it, without any event', async () => {
      using receiver = createReceiver();
      const { id } = await add(receiver);
      deliver();
      await store.deliveries.createTestMessage(id);
      const [message] = await receiver.got(1);
      expect(JSON.parse(message?.body ?? '')).toEqual({ type: 'webhook.test', timestamp: expect.stringMatching(/Z$/) });
      await until(async () => (await statesOf(id)).join() === 'delivered');
    });
  });

  describe('the scheduler', () => {
    const never = 3_600_000;

    test('an event that is written during an iteration is sent without a poll', async () => {
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

    test('the poll finds changes from another process', async () => {
      await using database = await createTestDatabase();
      await store.close();
      store = await openTestStore(database.url);
      const other = await openTestStore(database.url);
      using receiver = createReceiver();
      deliver();
      await other.webhooks.create({ url: receiver.url, events: plantEventTypes, secret: generateSecret() });
      await other.plants.create({ id: 1n, name: 'n' });
      await receiver.got(1);
      await other.close();
    });

    test('the next page of a long log is read without a wait for the poll', async () => {
      using receiver = createReceiver();
      await add(receiver, { events: ['plant.deleted'] });
      await createPlants(readMax + 50);
      await store.plants.delete(1n);
      deliver({ pollMs: never });
      await receiver.got(1);
    });

    test('the webhooks are read again in the next pass after a failed read', async () => {
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

    test('the log is read once for all lanes that are at its end', async () => {
      using receiver = createReceiver();
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) ids.push((await add(receiver)).id);
      let reads = 0;
      const read: Store['events']['read'] = async (after, limit) => {
        const page = await store.events.read(after, limit);
        if (page.events.length > 0) reads += 1;
        return page;
      };
      deliver({ pollMs: never, store: { ...store, events: { ...store.events, read } } });
      await createPlants(1);
      await receiver.got(3);
      for (const id of ids) await until(async () => (await statesOf(id)).join() === 'delivered');
      reads = 0;
      await createPlants(1, 2);
      await receiver.got(6);
      expect(reads).toBe(1);
    });

    test('the position of a webhook without matching events is recorded', async () => {
      using receiver = createReceiver();
      const { id } = await add(receiver, { events: ['plant.deleted'] });
      deliver();
      await createPlants(3);
      await until(async () => (await store.webhooks.get(id))?.position === 3n);
      expect(receiver.received).toEqual([]);
    });

    test('the log has one line for a disabled webhook, and none for a deleted one', async () => {
      const hanging = Promise.withResolvers<Response>();
      // The second message gets its response after the third is in flight.
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
      // One attempt is in flight, so the lane still exists, and each poll closes it.
      await severalTurns();
      hanging.resolve(taken());
      expect(warnings).toEqual([{ webhookId: id, reason: 'gone' }]);
    });

    test('the lane of a deleted webhook is discarded after its last delivery in flight', async () => {
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
      // A new lane begins at this position. The old lane had not read up to it.
      listed = [{ ...webhook, position: 2n }];
      await createPlants(1, 3);
      await receiver.got(2);
      expect(receiver.received[1]?.body).toContain('"id":3');
    });
  });

  test('attempts are counted by outcome, and the metric of leases has the leases of the sender', async () => {
    const metrics = createMetrics();
    using receiver = createReceiver((_received, count) => [() => status(500), () => status(302)][count]?.() ?? taken());
    await add(receiver);
    await store.webhooks.create({
      url: `http://127.0.0.1:${await freePort()}/`,
      events: ['plant.created'],
      secret: generateSecret(),
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

  test('the lane of a webhook that is disabled and enabled again keeps its deliveries in flight', async () => {
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
    const busy = { attempts: 0, busyLanes: 1 };

    /** Lets lanes with these loads take attempts up to their limits, one after the other. Returns the attempts of each lane. */
    const fill = (loads: readonly Load[], isQuick = false): number[] => {
      const lanes = loads.map((load) => {
        const lane = { load, ownLoad: () => lane.load, isQuick: () => isQuick };
        return lane;
      });
      const shares = createShares(lanes);
      for (const lane of lanes) {
        const attempts = Math.max(lane.load.attempts, Math.min(concurrencyMax, shares.of(lane)));
        lane.load = { attempts, busyLanes: 1 };
        shares.update(lane);
      }
      return lanes.map(({ load }) => load.attempts);
    };

    test('busy lanes share the attempts evenly, and each lane may have at least one', () => {
      expect(fill([busy, noLoad, noLoad])[0]).toBe(concurrencyMax);
      expect(fill(Array<Load>(10).fill(busy))).toEqual(Array<number>(10).fill(Math.floor(sharedMax / 10)));
      expect(fill(Array<Load>(10).fill(busy), true)).toEqual(Array<number>(10).fill(Math.floor(sharedMaxOfQuick / 10)));
      expect(fill(Array<Load>(100).fill(busy))).toEqual(Array<number>(100).fill(1));
    });

    test('lanes that become busy one after the other stay within the limit of the process', () => {
      const counts = fill(Array<Load>(100).fill(noLoad));
      expect(counts.slice(0, 3)).toEqual([concurrencyMax, Math.floor(sharedMax / 2), Math.floor(sharedMax / 3)]);
      expect(Math.min(...counts)).toBe(1);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(attemptsInFlightMax + counts.length);
    });

    test('Bun makes the attempts to all webhooks of a store at once, even if all hang', () => {
      expect(webhooksMax + attemptsInFlightMax).toBeLessThan(256);
    });

    test('the share of a lane grows when attempts of other lanes end', () => {
      const hanging = { attempts: concurrencyMax, busyLanes: 1 };
      expect(fill([hanging, busy])[1]).toBe(sharedMax / 2);
      expect(fill([busy, noLoad])[0]).toBe(concurrencyMax);
    });

    test('a lane has at most the attempts that remain within the limit of the process, except its first one', () => {
      expect(shareOfLane({ attempts: attemptsInFlightMax - 3, busyLanes: 1 }, false)).toBe(3);
      expect(shareOfLane({ attempts: attemptsInFlightMax - 1, busyLanes: 1 }, false)).toBe(1);
      expect(shareOfLane({ attempts: attemptsInFlightMax, busyLanes: 1 }, false)).toBe(1);
    });
  });

  describe('a failing delivery', () => {
    test('a failing delivery is retried on schedule with the same id and body until its last attempt', async () => {
      using receiver = createReceiver(() => status(500));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      for (const [index, delaySeconds] of retryDelaysSeconds.entries()) {
        const { nextAttemptAt = '' } = await afterAttempts(id, index + 1);
        expect(Date.parse(nextAttemptAt) - nowMs).toBe(delaySeconds * 1000);
        nowMs += delaySeconds * 1000 - 1;
        await severalTurns();
        expect(receiver.received).toHaveLength(index + 1);
        nowMs += 1;
      }
      const last = await afterAttempts(id, 10);
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

    test('a random time is added to the delay of a retry', async () => {
      using receiver = createReceiver(() => status(500));
      const { id } = await add(receiver);
      deliver({ random: () => 1 });
      await createPlants(1);
      const { nextAttemptAt = '' } = await afterAttempts(id, 1);
      expect(Date.parse(nextAttemptAt) - nowMs).toBe(5500);
    });

    test('the state of a delivery is `delivered` after a later attempt succeeds', async () => {
      using receiver = createReceiver((_received, count) => (count === 0 ? status(500) : taken()));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      await afterAttempts(id, 1);
      expect((await store.webhooks.get(id))?.failingSince).toBeString();
      nowMs += 5000;
      const delivery = await afterAttempts(id, 2);
      expect(stateOf(delivery)).toBe('delivered');
      expect(delivery.attempts).toMatchObject([{ status: 500, excerpt: 'no' }, { status: 204 }]);
      expect((await store.webhooks.get(id))?.failingSince).toBeUndefined();
    });

    test.each([301, 302, 400, 404, 429, 500, 503])('a delivery is retried after a response of %d', async (code) => {
      using receiver = createReceiver((_received, count) => (count === 0 ? status(code) : taken()));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      await afterAttempts(id, 1);
      nowMs += 5000;
      expect(stateOf(await afterAttempts(id, 2))).toBe('delivered');
    });

    test.each([
      [429, '3600', 3_600_000],
      [503, '3600', 3_600_000],
      [503, '1', 5000],
      [503, '9999999', 86_400_000],
      [500, '3600', 5000],
    ])(
      'a delivery is retried after a response of %d with Retry-After: %s, with a delay of %d ms',
      async (code, retryAfter, expected) => {
        using receiver = createReceiver(() => status(code, { 'retry-after': retryAfter }));
        const { id } = await add(receiver);
        deliver();
        await createPlants(1);
        const { nextAttemptAt = '' } = await afterAttempts(id, 1);
        expect(Date.parse(nextAttemptAt) - nowMs).toBe(expected);
      },
    );

    test('Retry-After delays the other deliveries of the webhook, except those that a client requests', async () => {
      using receiver = createReceiver((_received, count) =>
        count === 0 ? status(429, { 'retry-after': '60' }) : taken(),
      );
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      await afterAttempts(id, 1);
      await createPlants(1, 2);
      await severalTurns();
      expect(receiver.received).toHaveLength(1);
      await store.deliveries.createTestMessage(id);
      await receiver.got(2);
      nowMs += 60_000;
      await receiver.got(4);
    });

    test('after a response of 410, a delivery is not retried and no later event is sent', async () => {
      using receiver = createReceiver(() => status(410));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      expect(stateOf(await afterAttempts(id, 1))).toBe('failed');
      expect((await store.webhooks.get(id))?.disabled?.reason).toBe('gone');
      await createPlants(3, 2);
      nowMs += 86_400_000;
      await severalTurns();
      expect(receiver.received).toHaveLength(1);
    });

    test('all events after a response of 410 are sent after the webhook is enabled again', async () => {
      using receiver = createReceiver((_received, count) => (count === 0 ? status(410) : taken()));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      await afterAttempts(id, 1);
      await createPlants(2, 2);
      const [gone] = idsOf(receiver.received);
      await store.deliveries.redeliver(id, gone ?? '');
      await until(async () => (await statesOf(id)).join() === 'delivered,delivered,delivered');
      expect(idsOf(receiver.received).filter((sent) => sent === gone)).toHaveLength(2);
    });
  });

  describe('a slow or dead receiver', () => {
    test('70 hanging receivers do not delay another receiver', async () => {
      const hanging = Promise.withResolvers<Response>();
      const blocked = Promise.withResolvers<Response>();
      using dead = createReceiver(() => hanging.promise);
      using alive = createReceiver((_received, count) => (count < 30 ? taken() : blocked.promise));
      for (let count = 0; count < 70; count += 1) await add(dead);
      await add(alive);
      // On a busy machine, the test may take longer than the usual timeout of an attempt.
      deliver({ post: createPost({ ...allowed, timeoutMs: 3_600_000 }) });
      await createPlants(40);
      await alive.got(30 + 1);
      await until(() => dead.received.length === 70);
      await severalTurns();
      expect(dead.received).toHaveLength(70);
      hanging.resolve(taken());
      blocked.resolve(taken());
      await alive.got(40);
    });

    test('a new receiver gets its share of attempts although other receivers are slow', async () => {
      let concurrent = 0;
      let concurrentMax = 0;
      let isSlow = false;
      const hanging = Promise.withResolvers<Response>();
      using slow = createReceiver(() => (isSlow ? hanging.promise : taken()));
      for (let count = 0; count < 8; count += 1) await add(slow);
      using alive = createReceiver(async () => {
        concurrent += 1;
        concurrentMax = Math.max(concurrentMax, concurrent);
        // Longer than a pass of the sender on both engines.
        await Bun.sleep(100);
        concurrent -= 1;
        return taken();
      });
      deliver();
      await createPlants(20);
      await slow.got(160);
      // Each lane has its maximum limit now, and takes its share.
      isSlow = true;
      await createPlants(20, 21);
      await slow.got(160 + sharedMaxOfQuick);
      await add(alive);
      await createPlants(50, 41);
      await alive.got(50);
      expect(concurrentMax).toBeGreaterThanOrEqual(Math.floor(sharedMax / 9));
      hanging.resolve(taken());
    });

    test('quick receivers of many events keep their connections', async () => {
      const connections = new Set<number | undefined>();
      using receiver = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        idleTimeout: 0,
        fetch: (request, server) => {
          connections.add(server.requestIP(request)?.port);
          return new Response(null, { status: 204 });
        },
      });
      const ids: string[] = [];
      for (let count = 0; count < 10; count += 1) ids.push((await add({ url: receiver.url.href })).id);
      const send = createPost(allowed);
      // On a busy machine each attempt takes long, and a receiver counts as slow.
      const post: typeof send = async (...message) => {
        const { attempt, ...rest } = await send(...message);
        return { ...rest, attempt: { ...attempt, durationMs: 1 } };
      };
      deliver({ post });
      for (const first of [1, 101, 201, 301, 401]) {
        await Promise.all(Array.from({ length: 100 }, (_, index) => createPlants(1, first + index)));
        for (const id of ids) await until(async () => (await store.webhooks.get(id))?.position === BigInt(first + 99));
      }
      // With more attempts at once, Bun opens hundreds.
      expect(connections.size).toBeLessThanOrEqual(attemptsInFlightMax);
    });

    test('a slow receiver gets a limited number of concurrent attempts, and every message', async () => {
      let concurrent = 0;
      let concurrentMax = 0;
      using slow = createReceiver(async () => {
        concurrent += 1;
        concurrentMax = Math.max(concurrentMax, concurrent);
        // Longer than a pass of the sender on both engines.
        await Bun.sleep(100);
        concurrent -= 1;
        return taken();
      });
      const { id } = await add(slow);
      await createPlants(60);
      deliver();
      await slow.got(60);
      expect(concurrentMax).toBeLessThanOrEqual(inFlightMsMax / 100 + 1);
      await until(async () => (await statesOf(id)).length === 60);
      const slowestMs = Math.max(
        ...(await deliveriesOf(id)).map(({ attempts: [attempt] }) => attempt?.durationMs ?? 0),
      );
      expect(concurrentMax).toBeGreaterThanOrEqual(Math.min(11, Math.floor(inFlightMsMax / slowestMs)));
      expect(new Set(idsOf(slow.received)).size).toBe(60);
    });

    test('a failing receiver gets fewer concurrent attempts, and a dead one gets one per second', async () => {
      let concurrent = 0;
      const seen: number[] = [];
      using failing = createReceiver(async () => {
        concurrent += 1;
        seen.push(concurrent);
        await Bun.sleep(2);
        concurrent -= 1;
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
      // A test that a client requests is sent without a delay.
      await store.deliveries.createTestMessage(id);
      await failing.got(failuresInARowMax + 3);
    });
  });

  describe('after a crash or a stop', () => {
    test('after a crash, only messages in flight are sent again, with the same id', async () => {
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
      const [, inFlight] = idsOf(receiver.received);
      // As in a crash, the attempt in flight is not recorded.
      await crashed.stop(0);
      expect(await statesOf(id)).toHaveLength(2);
      await store.close();
      store = await openTestStore(database.url);
      deliver();
      await until(async () => (await statesOf(id)).length === 3);
      expect(idsOf(receiver.received).slice(3)).toEqual([inFlight ?? '']);
      hanging.resolve(taken());
    });

    test('a stop skips no waiting event', async () => {
      using receiver = createReceiver(async () => {
        await Bun.sleep(2);
        return taken();
      });
      const { id } = await add(receiver);
      await createPlants(500);
      for (const messagesMin of [30, 60, 90]) {
        const scheduler = deliver();
        await receiver.got(messagesMin);
        await scheduler.stop(10_000);
        // Attempts in progress ended, and no others began.
        expect(receiver.received.length).toBeLessThanOrEqual(messagesMin + 2 * concurrencyMax);
        const { position } = (await store.webhooks.get(id)) ?? {};
        expect(Number(position)).toBeLessThanOrEqual(receiver.received.length);
      }
      deliver();
      await receiver.got(500);
      await until(async () => (await statesOf(id)).length === 500);
      expect(new Set(idsOf(receiver.received)).size).toBe(500);
    });

    test('a stop records outcomes even if the webhooks cannot be read', async () => {
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

    test('an attempt that does not end does not prevent a stop', async () => {
      using receiver = createReceiver();
      const { id } = await add(receiver);
      const started = Promise.withResolvers<void>();
      const post = (): Promise<never> => {
        started.resolve();
        return new Promise(() => {});
      };
      deliver({ post });
      await createPlants(1);
      await started.promise;
      await running.pop()?.stop(0);
      expect(await deliveriesOf(id)).toEqual([]);
      deliver();
      await receiver.got(1);
    });

    test('a store that does not respond does not prevent a stop', async () => {
      using receiver = createReceiver();
      await add(receiver);
      const recording = Promise.withResolvers<void>();
      const record = (): Promise<never> => {
        recording.resolve();
        return new Promise(() => {});
      };
      deliver({ store: { ...store, deliveries: { ...store.deliveries, record } } });
      await createPlants(1);
      await recording.promise;
      using clock = stopClock();
      await clock.passUntil(Promise.resolve(running.pop()?.stop(0)));
    });

    test('a stop during a read of the log starts no attempt', async () => {
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
    /** Starts a sender with a separate store, as in another process. `sent` has the URLs of its messages. */
    const startSender = async (url: string, options: Partial<SchedulerOptions> = {}) => {
      const separate = await openTestStore(url);
      const sent: string[] = [];
      const post = createPost(allowed);
      const counting: SchedulerOptions['post'] = (message, stopped) => {
        sent.push(message.url);
        return post(message, stopped);
      };
      return { sent, scheduler: deliver({ store: separate, post: counting, ...options }) };
    };

    /** Adds this number of webhooks, each with a different URL. */
    const addMany = async (receiver: Receiver, count: number): Promise<void> => {
      for (let number = 0; number < count; number += 1)
        await store.webhooks.create({
          url: `${receiver.url}?${number}`,
          events: plantEventTypes,
          secret: generateSecret(),
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

    test('several senders share the webhooks evenly, even if one joins later, and send each event once', async () => {
      using receiver = createReceiver();
      await addMany(receiver, 6);
      const senders = [await startSender(url()), await startSender(url())];
      let plants = 0;
      /** The number of messages about the next event that each sender has sent. */
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

    test('a stopping sender immediately releases its leases, except those with an attempt in progress', async () => {
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

    test('a sender whose stop aborts an attempt immediately releases the lease for other senders', async () => {
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

    test('a sender starts no attempt if its leases have expired and cannot be renewed', async () => {
      using receiver = createReceiver();
      await add(receiver);
      let isUnavailable = false;
      let renewals = 0;
      const renew: Store['leases']['renew'] = async (request) => {
        renewals += 1;
        if (isUnavailable) throw new Error('unavailable');
        const leases = await store.leases.renew(request);
        return { ...leases, held: new Map([...leases.held].map(([id, held]) => [id, { ...held, validMs: 200 }])) };
      };
      deliver({ store: { ...store, leases: { renew } } });
      await createPlants(1);
      await receiver.got(1);
      isUnavailable = true;
      await Bun.sleep(250);
      await createPlants(1, 2);
      const before = renewals;
      await until(() => renewals >= before + 6);
      expect(receiver.received).toHaveLength(1);
      isUnavailable = false;
      await receiver.got(2);
    });

    test('a sender that has lost a lease does not record deliveries in flight', async () => {
      const hanging = Promise.withResolvers<Response>();
      using receiver = createReceiver((_received, count) => (count === 0 ? hanging.promise : taken()));
      const { id } = await add(receiver);
      const warnings: unknown[] = [];
      const log = createLog('silent');
      log.warn = (...entry: unknown[]) => void warnings.push(entry);
      let sender = '';
      /** A promise that is pending while the process is paused. */
      let untilContinued = Promise.resolve();
      const renew: Store['leases']['renew'] = async (request) => {
        sender = request.sender;
        await untilContinued;
        return store.leases.renew(request);
      };
      const loser = deliver({ store: { ...store, leases: { renew } }, log });
      await createPlants(1);
      await receiver.got(1);
      // As after a pause of the process in which another process takes the lease.
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
    test('a retry that was scheduled with a clock far ahead is not delayed forever', async () => {
      using receiver = createReceiver((_received, count) => (count === 0 ? status(500) : taken()));
      const { id } = await add(receiver);
      nowMs += 365 * 86_400_000;
      const wrong = deliver();
      await createPlants(1);
      await afterAttempts(id, 1);
      await wrong.stop(0);
      nowMs = startMs;
      deliver();
      expect(stateOf(await afterAttempts(id, 2))).toBe('delivered');
    });
  });

  describe('a store that cannot write', () => {
    test('no outcome is lost if a write of the store is slow', async () => {
      using receiver = createReceiver(async (_received, count) => {
        if (count < 8) return taken();
        await Bun.sleep(count === 8 ? 10 : 60);
        return status(500);
      });
      const { id } = await add(receiver);
      await createPlants(12);
      let slowTimes = 0;
      const record: Store['deliveries']['record'] = async (changes, ...rest) => {
        // As while another process has the lock: the write is slow, and then succeeds.
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

    test('no message is sent while the store cannot write, and sent ones are recorded later and not repeated', async () => {
      using receiver = createReceiver();
      const { id } = await add(receiver);
      let isBroken = true;
      let writes = 0;
      const record: Store['deliveries']['record'] = (...progress) => {
        writes += 1;
        return isBroken ? Promise.reject(new Error('no room')) : store.deliveries.record(...progress);
      };
      const severalWrites = (): Promise<void> => {
        const before = writes;
        return until(() => writes >= before + 6);
      };
      await createPlants(30);
      deliver({ store: { ...store, deliveries: { ...store.deliveries, record } } });
      await receiver.got(1);
      await severalWrites();
      // A pass that was running when the first attempt ended may have sent another message.
      const sent = receiver.received.length;
      expect([1, 2]).toContain(sent);
      await severalWrites();
      expect(receiver.received).toHaveLength(sent);
      isBroken = false;
      await receiver.got(30);
      await until(async () => (await statesOf(id)).length === 30);
      expect(new Set(idsOf(receiver.received)).size).toBe(30);
      expect(receiver.received).toHaveLength(30);
    });
  });
});
