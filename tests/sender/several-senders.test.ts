/** Several senders on one database, as in several processes. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { generateSecret } from '../../src/base/signature.ts';
import { plantEventTypes } from '../../src/events/event.ts';
import { createLog } from '../../src/log.ts';
import { createPost } from '../../src/sender/attempt.ts';
import type { SchedulerOptions } from '../../src/sender/scheduler.ts';
import type { Store } from '../../src/store/store.ts';
import type { TestDatabase } from '../support/store/engine.ts';
import { createTestDatabase, onBothEngines, openTestStore } from '../support/store/engines.ts';
import { until } from '../support/until.ts';
import { createReceiver, type Receiver, taken } from '../support/webhooks/receiver.ts';
import { allowed, idsOf, setUpSender } from './scene.ts';

onBothEngines(() => {
  const { add, createPlants, deliver, deliveriesOf, running, scene, statesOf } = setUpSender();

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
        await scene.store.webhooks.create({
          url: `${receiver.url}?${number}`,
          events: plantEventTypes,
          secret: generateSecret(),
        });
    };

    beforeEach(async () => {
      await scene.store.close();
      const database = await createTestDatabase();
      databases.push(database);
      scene.store = await openTestStore(database.url);
    });
    afterEach(async () => {
      for (const scheduler of running.splice(0)) await scheduler.stop(0);
      await scene.store.close();
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
      const leases = await scene.store.leases.renew({ sender: 'other', released: new Set(), isLeaving: false });
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
        const leases = await scene.store.leases.renew(request);
        return { ...leases, held: new Map([...leases.held].map(([id, held]) => [id, { ...held, validMs: 200 }])) };
      };
      deliver({ store: { ...scene.store, leases: { renew } } });
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
        return scene.store.leases.renew(request);
      };
      const loser = deliver({ store: { ...scene.store, leases: { renew } }, log });
      await createPlants(1);
      await receiver.got(1);
      // As after a pause of the process in which another process takes the lease.
      const paused = Promise.withResolvers<void>();
      untilContinued = paused.promise;
      await scene.store.leases.renew({ sender, released: new Set([id]), isLeaving: true });
      const { held } = await scene.store.leases.renew({ sender: '0', released: new Set(), isLeaving: false });
      expect([...held.keys()]).toEqual([id]);
      paused.resolve();
      await until(() => warnings.length > 0);
      expect(warnings).toEqual([[{ webhookId: id }, 'lease lost']]);
      hanging.resolve(taken());
      await loser.stop(10_000);
      expect(await deliveriesOf(id)).toEqual([]);
      expect((await scene.store.webhooks.get(id))?.position).toBe(0n);
    });
  });
});
