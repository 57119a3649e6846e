/** The retries of a delivery, by a simulated clock. */
import { describe, expect, test } from 'bun:test';
import { stateOf } from '../../src/deliveries/delivery.ts';
import { retryDelaysSeconds } from '../../src/webhooks/retries.ts';
import { onBothEngines } from '../support/store/engines.ts';
import { until } from '../support/until.ts';
import { createReceiver, taken } from '../support/webhooks/receiver.ts';
import { idsOf, setUpSender, startMs, status } from './scene.ts';

onBothEngines(() => {
  const { add, afterAttempts, createPlants, deliver, scene, severalTurns, statesOf } = setUpSender();

  describe('a failing delivery', () => {
    test('a failing delivery is retried on schedule with the same id and body until its last attempt', async () => {
      using receiver = createReceiver(() => status(500));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      for (const [index, delaySeconds] of retryDelaysSeconds.entries()) {
        const { nextAttemptAt = '' } = await afterAttempts(id, index + 1);
        expect(Date.parse(nextAttemptAt) - scene.nowMs).toBe(delaySeconds * 1000);
        scene.nowMs += delaySeconds * 1000 - 1;
        await severalTurns();
        expect(receiver.received).toHaveLength(index + 1);
        scene.nowMs += 1;
      }
      const last = await afterAttempts(id, 10);
      expect(last.nextAttemptAt).toBeUndefined();
      expect(stateOf(last)).toBe('failed');
      scene.nowMs += 1000 * 86_400_000;
      await severalTurns();
      expect(receiver.received).toHaveLength(10);
      expect(new Set(idsOf(receiver.received)).size).toBe(1);
      expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
      expect((scene.nowMs - 1000 * 86_400_000 - startMs) / 3_600_000).toBeCloseTo(75.6, 1);
      expect((await scene.store.webhooks.get(id))?.disabled?.reason).toBe('failing');
    });

    test('a random time is added to the delay of a retry', async () => {
      using receiver = createReceiver(() => status(500));
      const { id } = await add(receiver);
      deliver({ random: () => 1 });
      await createPlants(1);
      const { nextAttemptAt = '' } = await afterAttempts(id, 1);
      expect(Date.parse(nextAttemptAt) - scene.nowMs).toBe(5500);
    });

    test('the state of a delivery is `delivered` after a later attempt succeeds', async () => {
      using receiver = createReceiver((_received, count) => (count === 0 ? status(500) : taken()));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      await afterAttempts(id, 1);
      expect((await scene.store.webhooks.get(id))?.failingSince).toBeString();
      scene.nowMs += 5000;
      const delivery = await afterAttempts(id, 2);
      expect(stateOf(delivery)).toBe('delivered');
      expect(delivery.attempts).toMatchObject([{ status: 500, excerpt: 'no' }, { status: 204 }]);
      expect((await scene.store.webhooks.get(id))?.failingSince).toBeUndefined();
    });

    test.each([301, 302, 400, 404, 429, 500, 503])('a delivery is retried after a response of %d', async (code) => {
      using receiver = createReceiver((_received, count) => (count === 0 ? status(code) : taken()));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      await afterAttempts(id, 1);
      scene.nowMs += 5000;
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
        expect(Date.parse(nextAttemptAt) - scene.nowMs).toBe(expected);
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
      await scene.store.deliveries.createTestMessage(id);
      await receiver.got(2);
      scene.nowMs += 60_000;
      await receiver.got(4);
    });

    test('after a response of 410, a delivery is not retried and no later event is sent', async () => {
      using receiver = createReceiver(() => status(410));
      const { id } = await add(receiver);
      deliver();
      await createPlants(1);
      expect(stateOf(await afterAttempts(id, 1))).toBe('failed');
      expect((await scene.store.webhooks.get(id))?.disabled?.reason).toBe('gone');
      await createPlants(3, 2);
      scene.nowMs += 86_400_000;
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
      await scene.store.deliveries.redeliver(id, gone ?? '');
      await until(async () => (await statesOf(id)).join() === 'delivered,delivered,delivered');
      expect(idsOf(receiver.received).filter((sent) => sent === gone)).toHaveLength(2);
    });
  });

  describe('the clock', () => {
    test('a retry that was scheduled with a clock far ahead is not delayed forever', async () => {
      using receiver = createReceiver((_received, count) => (count === 0 ? status(500) : taken()));
      const { id } = await add(receiver);
      scene.nowMs += 365 * 86_400_000;
      const wrong = deliver();
      await createPlants(1);
      await afterAttempts(id, 1);
      await wrong.stop(0);
      scene.nowMs = startMs;
      deliver();
      expect(stateOf(await afterAttempts(id, 2))).toBe('delivered');
    });
  });
});
