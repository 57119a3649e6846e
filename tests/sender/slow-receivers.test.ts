/** Receivers that are slow or dead, beside others. */
import { describe, expect, test } from 'bun:test';
import { createPost } from '../../src/sender/attempt.ts';
import { attemptsInFlightMax, sharedMax } from '../../src/sender/share.ts';
import { concurrencyMax, failuresInARowMax, inFlightMsMax } from '../../src/sender/throttle.ts';
import { onBothEngines } from '../support/store/engines.ts';
import { until } from '../support/until.ts';
import { createReceiver, taken } from '../support/webhooks/receiver.ts';
import { allowed, idsOf, setUpSender, status } from './scene.ts';

/** Sends as usual, without a time limit of an attempt, and each attempt seems to have taken this time. */
const lasting = (durationMs: number): ReturnType<typeof createPost> => {
  const send = createPost({ ...allowed, timeoutMs: 3_600_000 });
  return async (...message) => {
    const { attempt, ...rest } = await send(...message);
    return { ...rest, attempt: { ...attempt, durationMs } };
  };
};

onBothEngines(() => {
  const { add, createPlants, deliver, deliveriesOf, scene, severalTurns, statesOf } = setUpSender();

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
      let isHanging = false;
      const hanging = Promise.withResolvers<Response>();
      const answer = () => (isHanging ? hanging.promise : taken());
      using slow = createReceiver(answer);
      for (let count = 0; count < 8; count += 1) await add(slow);
      using alive = createReceiver(() => (alive.received.length <= 20 ? taken() : answer()));
      deliver({ post: lasting(20) });
      await createPlants(20);
      await slow.got(8 * 20);
      // Each lane may have 20 attempts in flight by its own limit, so its share is what limits it.
      isHanging = true;
      await createPlants(20, 21);
      await slow.got(8 * 20 + sharedMax);
      await add(alive);
      await createPlants(50, 41);
      const share = Math.floor(sharedMax / 9);
      await alive.got(20 + share);
      await severalTurns();
      expect(alive.received).toHaveLength(20 + share);
      hanging.resolve(taken());
      await alive.got(50);
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
      // On a busy machine each attempt takes long, and a receiver counts as slow.
      deliver({ post: lasting(1) });
      for (const first of [1, 101, 201, 301, 401]) {
        await Promise.all(Array.from({ length: 100 }, (_, index) => createPlants(1, first + index)));
        for (const id of ids)
          await until(async () => (await scene.store.webhooks.get(id))?.position === BigInt(first + 99));
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
      scene.nowMs += 1000;
      await failing.got(failuresInARowMax + 2);
      await severalTurns();
      expect(failing.received).toHaveLength(failuresInARowMax + 2);
      // A test that a client requests is sent without a delay.
      await scene.store.deliveries.createTestMessage(id);
      await failing.got(failuresInARowMax + 3);
    });
  });
});
