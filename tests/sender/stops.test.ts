/** A sender that stops or crashes, and a store that cannot write: no message is lost, and none is repeated without need. */
import { describe, expect, test } from 'bun:test';
import { concurrencyMax } from '../../src/sender/throttle.ts';
import type { Store } from '../../src/store/store.ts';
import { stopClock } from '../support/stopped-clock.ts';
import { createTestDatabase, onBothEngines, openTestStore } from '../support/store/engines.ts';
import { until } from '../support/until.ts';
import { createReceiver, taken } from '../support/webhooks/receiver.ts';
import { idsOf, setUpSender, status } from './scene.ts';

onBothEngines(() => {
  const { add, createPlants, deliver, deliveriesOf, running, scene, severalTurns, statesOf } = setUpSender();

  describe('after a crash or a stop', () => {
    test('after a crash, only messages in flight are sent again, with the same id', async () => {
      await using database = await createTestDatabase();
      await scene.store.close();
      scene.store = await openTestStore(database.url);
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
      await scene.store.close();
      scene.store = await openTestStore(database.url);
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
        const { position } = (await scene.store.webhooks.get(id)) ?? {};
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
        isBroken ? Promise.reject(new Error('no')) : scene.store.webhooks.list();
      const scheduler = deliver({ store: { ...scene.store, webhooks: { ...scene.store.webhooks, list } } });
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
      deliver({ store: { ...scene.store, deliveries: { ...scene.store.deliveries, record } } });
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
        return scene.store.deliveries.readUntried(...range);
      };
      const scheduler = deliver({ store: { ...scene.store, deliveries: { ...scene.store.deliveries, readUntried } } });
      await reading.promise;
      const stopping = scheduler.stop(10_000);
      released.resolve();
      await stopping;
      expect(receiver.received).toEqual([]);
      expect(await statesOf(id)).toEqual([]);
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
        await scene.store.deliveries.record(changes, ...rest);
      };
      deliver({ store: { ...scene.store, deliveries: { ...scene.store.deliveries, record } } });
      await until(async () => (await statesOf(id)).length === 12);
      expect((await statesOf(id)).filter((state) => state === 'pending')).toHaveLength(4);
    });

    test('a store that cannot write does not delay a stop', async () => {
      using receiver = createReceiver();
      await add(receiver);
      const record = () => Promise.reject(new Error('no room'));
      const scheduler = deliver({ store: { ...scene.store, deliveries: { ...scene.store.deliveries, record } } });
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
        return isBroken ? Promise.reject(new Error('no room')) : scene.store.deliveries.record(...progress);
      };
      const severalWrites = (): Promise<void> => {
        const before = writes;
        return until(() => writes >= before + 6);
      };
      await createPlants(30);
      deliver({ store: { ...scene.store, deliveries: { ...scene.store.deliveries, record } } });
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
