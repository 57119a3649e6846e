/** The scheduler with a real store, real receivers and real sockets; only the clock is set by hand. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { mintSecret } from '../../src/base/signature.ts';
import { type Delivery, retryDelaysSeconds, stateOf } from '../../src/domain/delivery.ts';
import { plantEventTypes } from '../../src/domain/event.ts';
import type { NewWebhook } from '../../src/domain/webhook.ts';
import { createLog } from '../../src/log.ts';
import type { Store } from '../../src/store/store.ts';
import { createPost } from '../../src/webhooks/attempt.ts';
import { concurrencyMax, failuresInARowMax } from '../../src/webhooks/lane.ts';
import {
  attemptsMax,
  type Scheduler,
  type SchedulerOptions,
  shareBeside,
  sharedMax,
  startScheduler,
} from '../../src/webhooks/scheduler.ts';
import { openTestStore } from '../support/engines.ts';
import { temporaryFolder } from '../support/folder.ts';
import { createReceiver, type Received, type Receiver, taken } from '../support/receiver.ts';
import { until } from '../support/until.ts';

const startMs = Date.parse('2026-01-01T00:00:00.000Z');
const pollMs = 5;
const allowed = { allowPrivate: true };

let store: Store;
let nowMs: number;
const running: Scheduler[] = [];
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
  test('is every event of the types that were asked for, signed, and exact', async () => {
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

  test('begins with what was there before the start', async () => {
    using receiver = createReceiver();
    await add(receiver);
    await createPlants(3);
    deliver();
    await receiver.got(3);
  });

  test('is signed with the new secret and the old one after a rotation', async () => {
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

  test('goes out as soon as it is written, however seldom the loop looks by itself', async () => {
    using receiver = createReceiver();
    deliver({ pollMs: 3_600_000 });
    const { id } = await add(receiver);
    await createPlants(1);
    await receiver.got(1);
    await store.deliveries.test(id);
    await receiver.got(2);
  });

  test('is a test when it is asked for, though nothing has happened', async () => {
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

  test('sends what is written while it is awake, however seldom it polls', async () => {
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

  test('finds by its poll what another process has written', async () => {
    using folder = temporaryFolder();
    const path = folder.file('plants.sqlite');
    await store.close();
    store = await openTestStore(path);
    const other = await openTestStore(path);
    using receiver = createReceiver();
    deliver();
    await other.webhooks.create({ url: receiver.url, events: plantEventTypes, secret: mintSecret() });
    await other.plants.create({ id: 1n, name: 'n' });
    await receiver.got(1);
    await other.close();
  });

  test('reads the log once for all lanes that have come to its end', async () => {
    using receiver = createReceiver();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await add(receiver)).id);
    const readAfter: bigint[] = [];
    const readLog: Store['deliveries']['readLog'] = (after, limit) => {
      readAfter.push(after);
      return store.deliveries.readLog(after, limit);
    };
    deliver({ pollMs: never, store: { ...store, deliveries: { ...store.deliveries, readLog } } });
    await createPlants(1);
    await receiver.got(3);
    for (const id of ids) await until(async () => (await statesOf(id)).join() === 'delivered');
    readAfter.length = 0;
    await createPlants(1, 2);
    await receiver.got(6);
    expect(readAfter.filter((after) => after === 1n)).toEqual([1n]);
  });

  test('records how far a webhook has come that wants none of the events', async () => {
    using receiver = createReceiver();
    const { id } = await add(receiver, { events: ['plant.deleted'] });
    deliver();
    await createPlants(3);
    await until(async () => (await store.webhooks.get(id))?.position === 3n);
    expect(receiver.received).toEqual([]);
  });

  test('logs once that a webhook was disabled, and not that one was deleted', async () => {
    using receiver = createReceiver(() => status(410));
    const { id } = await add(receiver);
    const deleted = await add(receiver, { events: ['plant.deleted'] });
    const warnings: object[] = [];
    const log = createLog('silent');
    log.warn = (entry: object) => void warnings.push(entry);
    deliver({ log });
    await createPlants(1);
    await until(() => warnings.length > 0);
    await store.webhooks.delete(deleted.id);
    await severalTurns();
    expect(warnings).toEqual([{ webhookId: id, reason: 'gone' }]);
  });

  test('keeps no lane of a webhook that is gone and has nothing in flight', async () => {
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

  test('is even, and at least one attempt whatever the others have', () => {
    const counts = fill(Array<number>(100).fill(0));
    expect(counts.slice(0, 8)).toEqual(Array(8).fill(concurrencyMax));
    expect(counts[8]).toBe(Math.floor(sharedMax / 9));
    expect(Math.min(...counts)).toBe(1);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(attemptsMax + counts.length);
  });

  test('grows when the attempts of others have ended', () => {
    const [first = 0] = fill(Array<number>(64).fill(0));
    expect(first).toBe(concurrencyMax);
    expect(shareBeside([first, ...Array<number>(63).fill(0)])).toBeGreaterThanOrEqual(concurrencyMax);
  });

  test('leaves no room beyond the largest number of attempts at once', () => {
    expect(shareBeside([attemptsMax - 3])).toBe(3);
    expect(shareBeside([attemptsMax - 1])).toBe(1);
    expect(shareBeside([attemptsMax])).toBe(1);
  });
});

describe('a delivery that fails', () => {
  test('is tried again by the schedule, under the same id and with the same body, until all tries are used up', async () => {
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

  test('is put off a little longer at random', async () => {
    using receiver = createReceiver(() => status(500));
    const { id } = await add(receiver);
    deliver({ random: () => 1 });
    await createPlants(1);
    const { nextAttemptAt = '' } = await afterTries(id, 1);
    expect(Date.parse(nextAttemptAt) - nowMs).toBe(5500);
  });

  test('is delivered when a later try is a success', async () => {
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

  test.each([301, 302, 400, 404, 429, 500, 503])('with %d is tried again', async (code) => {
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
  ])('with %d and Retry-After: %s is tried again after %d ms', async (code, retryAfter, expected) => {
    using receiver = createReceiver(() => status(code, { 'retry-after': retryAfter }));
    const { id } = await add(receiver);
    deliver();
    await createPlants(1);
    const { nextAttemptAt = '' } = await afterTries(id, 1);
    expect(Date.parse(nextAttemptAt) - nowMs).toBe(expected);
  });

  test('with Retry-After holds up the others of its webhook too, but not what is asked for by hand', async () => {
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

  test('with 410 is not tried again, and nothing else is sent', async () => {
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

  test('by 410 is followed by all that has happened since, once the webhook is enabled again', async () => {
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

describe('one that is slow or dead', () => {
  test('holds up no other, though there are 70 of them', async () => {
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

  test('leaves its share to the others, when it is only slow', async () => {
    let atOnce = 0;
    let atOnceMax = 0;
    let isSlow = false;
    const hanging = Promise.withResolvers<Response>();
    using slow = createReceiver(() => (isSlow ? hanging.promise : taken()));
    for (let count = 0; count < 8; count += 1) await add(slow);
    using alive = createReceiver(async () => {
      atOnce += 1;
      atOnceMax = Math.max(atOnceMax, atOnce);
      await Bun.sleep(20);
      atOnce -= 1;
      return taken();
    });
    deliver();
    await createPlants(20);
    await slow.got(160);
    // Each has earned its full window by now, and takes all of it.
    isSlow = true;
    await createPlants(20, 21);
    await slow.got(160 + 8 * concurrencyMax);
    await add(alive);
    await createPlants(50, 41);
    await alive.got(50);
    expect(atOnceMax).toBeGreaterThanOrEqual(concurrencyMax - 1);
    hanging.resolve(taken());
  });

  test('has only so many attempts at once, and all the same gets everything', async () => {
    let atOnce = 0;
    let atOnceMax = 0;
    using slow = createReceiver(async () => {
      atOnce += 1;
      atOnceMax = Math.max(atOnceMax, atOnce);
      await Bun.sleep(5);
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

  test('is pressed less while it fails, and hardly at all once it counts as dead', async () => {
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
  test('what was under way is sent again under the same id, and nothing that was acknowledged', async () => {
    using folder = temporaryFolder();
    const path = folder.file('plants.sqlite');
    await store.close();
    store = await openTestStore(path);
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
    store = await openTestStore(path);
    deliver();
    await until(async () => (await statesOf(id)).length === 3);
    expect(idsOf(receiver.received).slice(3)).toEqual([underWay ?? '']);
    hanging.resolve(taken());
  });

  test('of what waits at a stop nothing is passed over, however much it is', async () => {
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

  test('what ended is written down at a stop, though nothing else can be read', async () => {
    const slow = Promise.withResolvers<Response>();
    using receiver = createReceiver(() => slow.promise);
    const { id } = await add(receiver);
    let isBroken = false;
    const list: Store['webhooks']['list'] = () => (isBroken ? Promise.reject(new Error('no')) : store.webhooks.list());
    const scheduler = deliver({ store: { ...store, webhooks: { ...store.webhooks, list } } });
    await createPlants(1);
    await receiver.got(1);
    isBroken = true;
    await severalTurns();
    slow.resolve(taken());
    await scheduler.stop(10_000);
    expect(await statesOf(id)).toEqual(['delivered']);
  });

  test('a stop in order waits for what is under way', async () => {
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
});

describe('the clock', () => {
  test('that was far ahead when a try was put off does not put it off for ever', async () => {
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
  test('for a moment loses nothing that ends meanwhile', async () => {
    using receiver = createReceiver(async (_received, count) => {
      if (count < 8) return taken();
      await Bun.sleep(count === 8 ? 10 : 60);
      return status(500);
    });
    const { id } = await add(receiver);
    await createPlants(12);
    let slowTimes = 0;
    const record: Store['deliveries']['record'] = async (changes, positions) => {
      // As when another process holds the lock: it takes long, and then succeeds.
      if (changes.some(({ after }) => after.event.sequence > 8n) && slowTimes === 0) {
        slowTimes += 1;
        await Bun.sleep(200);
      }
      await store.deliveries.record(changes, positions);
    };
    deliver({ store: { ...store, deliveries: { ...store.deliveries, record } } });
    await until(async () => (await statesOf(id)).length === 12);
    expect((await statesOf(id)).filter((state) => state === 'pending')).toHaveLength(4);
  });

  test('does not hold up a stop', async () => {
    using receiver = createReceiver();
    await add(receiver);
    const record = () => Promise.reject(new Error('no room'));
    const scheduler = deliver({ store: { ...store, deliveries: { ...store.deliveries, record } } });
    await createPlants(1);
    await receiver.got(1);
    await scheduler.stop(10_000);
  });

  test('stops what is sent, and what was sent is written down later and not sent again', async () => {
    using receiver = createReceiver();
    const { id } = await add(receiver);
    let isBroken = true;
    const record: Store['deliveries']['record'] = (changes, positions) =>
      isBroken ? Promise.reject(new Error('no room')) : store.deliveries.record(changes, positions);
    deliver({ store: { ...store, deliveries: { ...store.deliveries, record } } });
    await createPlants(30);
    await receiver.got(1);
    await severalTurns();
    expect(receiver.received).toHaveLength(1);
    isBroken = false;
    await receiver.got(30);
    await until(async () => (await statesOf(id)).length === 30);
    expect(new Set(idsOf(receiver.received)).size).toBe(30);
    expect(receiver.received).toHaveLength(30);
  });
});
