/** The scheduler with a real store, real receivers and real sockets. Only the clock is simulated. */
import { describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { generateSecret } from '../../src/base/signature.ts';
import { plantEventTypes } from '../../src/events/event.ts';
import { createLog } from '../../src/log.ts';
import { readMax } from '../../src/sender/lane.ts';
import type { Store } from '../../src/store/store.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { freePort } from '../support/network/port.ts';
import { createTestDatabase, onBothEngines, openTestStore } from '../support/store/engines.ts';
import { parseMetrics, samplesOf, sampleValue } from '../support/telemetry/prometheus.ts';
import { until } from '../support/until.ts';
import { createReceiver, taken } from '../support/webhooks/receiver.ts';
import { idsOf, setUpSender, status } from './scene.ts';

onBothEngines(() => {
  const { add, createPlants, deliver, scene, severalTurns, statesOf } = setUpSender();

  describe('messages', () => {
    test('every event of the subscribed types is sent with a signature and its exact id', async () => {
      using receiver = createReceiver();
      using other = createReceiver();
      const secret = generateSecret();
      const { id } = await add(receiver, { secret });
      await add(other, { events: ['plant.deleted'] });
      deliver();
      await scene.store.plants.create({ id: 9223372036854775807n, name: 'Monstera', tag: 'tropical' });
      await scene.store.plants.update(9223372036854775807n, { tag: null });
      await scene.store.plants.delete(9223372036854775807n);
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
      expect((await scene.store.webhooks.get(id))?.position).toBe(3n);
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
      await scene.store.webhooks.rotate(id, after);
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
      await scene.store.deliveries.createTestMessage(id);
      await receiver.got(2);
    });

    test('a test is sent when a client requests it, without any event', async () => {
      using receiver = createReceiver();
      const { id } = await add(receiver);
      deliver();
      await scene.store.deliveries.createTestMessage(id);
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
        const page = await scene.store.deliveries.readUntried(...args);
        if (isFirst) await createPlants(2);
        isFirst = false;
        return page;
      };
      const deliveries = { ...scene.store.deliveries, readUntried };
      deliver({ pollMs: never, store: { ...scene.store, deliveries } });
      await receiver.got(2);
    });

    test('the poll finds changes from another process', async () => {
      await using database = await createTestDatabase();
      await scene.store.close();
      scene.store = await openTestStore(database.url);
      const other = await openTestStore(database.url);
      using receiver = createReceiver();
      deliver();
      await other.webhooks.create({ url: receiver.url, events: plantEventTypes, secret: generateSecret() });
      await other.plants.create({ id: 1n, name: 'n' });
      await receiver.got(1);
      await other.close();
    });

    test('the webhooks are not read again until something has changed, or a delivery is due', async () => {
      using receiver = createReceiver((_received, count) => (count === 0 ? status(500) : taken()));
      const { id } = await add(receiver);
      let reads = 0;
      let version = 0n;
      deliver({
        store: {
          ...scene.store,
          dataVersion: async () => version,
          leases: {
            renew: async (request) => {
              const leases = await scene.store.leases.renew(request);
              const held = new Map([...leases.held].map(([of, lease]) => [of, { ...lease, validMs: never }]));
              return { ...leases, held };
            },
          },
          webhooks: {
            ...scene.store.webhooks,
            list: () => {
              reads += 1;
              return scene.store.webhooks.list();
            },
          },
        },
      });
      /** Reads that began before may end a few turns later. */
      const readsAtRest = async (): Promise<number> => {
        const before = reads;
        await severalTurns();
        return reads === before ? reads : await readsAtRest();
      };
      await createPlants(1);
      await until(async () => (await statesOf(id)).join() === 'pending');
      const before = await readsAtRest();
      scene.nowMs += 6000;
      await receiver.got(2);
      await until(async () => (await statesOf(id)).join() === 'delivered');
      const after = await readsAtRest();
      expect(after).toBeGreaterThan(before);
      version += 1n;
      await until(() => reads > after);
    });

    test('the next page of a long log is read without a wait for the poll', async () => {
      using receiver = createReceiver();
      await add(receiver, { events: ['plant.deleted'] });
      await createPlants(readMax + 50);
      await scene.store.plants.delete(1n);
      deliver({ pollMs: never });
      await receiver.got(1);
    });

    test('the webhooks are read again in the next pass after a failed read', async () => {
      using receiver = createReceiver();
      await add(receiver);
      let times = 0;
      const list: Store['webhooks']['list'] = () => {
        times += 1;
        return times === 1 ? Promise.reject(new Error('no')) : scene.store.webhooks.list();
      };
      deliver({ pollMs: never, store: { ...scene.store, webhooks: { ...scene.store.webhooks, list } } });
      await createPlants(1);
      await receiver.got(1);
    });

    test('the log is read once for all lanes that are at its end', async () => {
      using receiver = createReceiver();
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) ids.push((await add(receiver)).id);
      let reads = 0;
      const read: Store['events']['read'] = async (after, limit) => {
        const page = await scene.store.events.read(after, limit);
        if (page.events.length > 0) reads += 1;
        return page;
      };
      deliver({ pollMs: never, store: { ...scene.store, events: { ...scene.store.events, read } } });
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
      await until(async () => (await scene.store.webhooks.get(id))?.position === 3n);
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
      await scene.store.webhooks.delete(deleted.id);
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
      let version = 0n;
      const dataVersion: Store['dataVersion'] = async () => {
        version += 1n;
        return version;
      };
      deliver({ store: { ...scene.store, dataVersion, webhooks: { ...scene.store.webhooks, list } } });
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
    await scene.store.webhooks.create({
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
    deliver({ store: { ...scene.store, webhooks: { ...scene.store.webhooks, list } } });
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
});
