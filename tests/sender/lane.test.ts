/** The deliveries that a lane claims in each iteration, with a real store. Nothing is sent, and the tests set the clock. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Delivery, delayMsMax, type Outcome, pauseMsMax } from '../../src/deliveries/delivery.ts';
import { plantEventTypes } from '../../src/events/event.ts';
import { createLane, type Lane, type Progress, readMax } from '../../src/sender/lane.ts';
import { concurrencyMax, deadPauseMs, failuresInARowMax } from '../../src/sender/throttle.ts';
import type { Store } from '../../src/store/store.ts';
import type { NewWebhook } from '../../src/webhooks/webhook.ts';
import { onBothEngines, openTestStore } from '../support/store/engines.ts';
import { attemptNew, neverLeased } from '../support/webhooks/attempts.ts';

const startMs = Date.parse('2026-01-01T00:00:00.000Z');
let store: Store;
let nowMs: number;
onBothEngines(() => {
  beforeEach(async () => {
    store = await openTestStore();
    nowMs = startMs;
  });
  afterEach(() => store.close());

  const outcome = (status: number, durationMs = 1): Outcome => ({
    attempt: { at: new Date(nowMs).toISOString(), durationMs, status },
  });

  const add = async (options: Partial<NewWebhook> = {}, position = 0n): Promise<Lane> => {
    const url = 'https://example.com/';
    const webhook = await store.webhooks.create({ url, events: plantEventTypes, secret: 's', ...options });
    const clock = { nowMs: () => nowMs };
    return createLane({ ...webhook, position }, { deliveries: store.deliveries, clock, random: () => 0 });
  };

  const createPlants = async (count: number, first = 1): Promise<void> => {
    for (let id = first; id < first + count; id += 1) await store.plants.create({ id: BigInt(id), name: 'n' });
  };

  const noLimit = Number.POSITIVE_INFINITY;
  const load = (lane: Lane, share = noLimit): Promise<boolean> =>
    lane.load(share, (after, types) => store.events.read(after, readMax, types));

  /** The deliveries that the lane claims in one iteration. */
  const pass = async (lane: Lane, share = noLimit): Promise<Delivery[]> => {
    await load(lane, share);
    return lane.take(share);
  };

  /** The same after the lane is opened again, so that it also reads due deliveries. */
  const refreshedPass = (lane: Lane, share = noLimit): Promise<Delivery[]> => {
    lane.open(lane.webhook());
    return pass(lane, share);
  };

  const sequencesOf = (deliveries: readonly Delivery[]): number[] =>
    deliveries.map(({ event }) => Number(event.sequence));

  const record = async (lane: Lane): Promise<Progress> => {
    const progress = lane.progress();
    const { changes, position } = progress;
    await store.deliveries.record(
      changes,
      new Map(position === undefined ? [] : [[lane.webhook().id, position]]),
      neverLeased,
    );
    lane.recorded(progress);
    return progress;
  };

  /** Ends these deliveries with this status, and records the outcomes. */
  const end = async (lane: Lane, deliveries: readonly Delivery[], status: number): Promise<Progress> => {
    for (const delivery of deliveries) lane.finish(delivery, outcome(status));
    return record(lane);
  };

  /** Ends one test with this outcome. The log is not read. */
  const endTest = async (lane: Lane, outcomeOfTest: Outcome): Promise<void> => {
    await store.deliveries.createTestMessage(lane.webhook().id);
    const [delivery, ...others] = await refreshedPass(lane, 1);
    if (!delivery) throw new Error('the lane claimed no test');
    expect(others).toEqual([]);
    lane.finish(delivery, outcomeOfTest);
    await record(lane);
  };

  const endTests = async (lane: Lane, times: number, status: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await endTest(lane, outcome(status));
  };

  /** Raises the limit of concurrent attempts of the lane, with successes. */
  const raiseLimit = (lane: Lane, limit: number): Promise<void> => endTests(lane, limit - 1, 204);

  test('a lane is busy while it has attempts in flight or may claim deliveries, not during a pause', async () => {
    const lane = await add();
    expect(lane.ownLoad()).toEqual({ attempts: 0, busyLanes: 0 });
    await createPlants(2);
    await load(lane);
    expect(lane.ownLoad()).toEqual({ attempts: 0, busyLanes: 1 });
    const taken = lane.take(1);
    expect(lane.ownLoad()).toEqual({ attempts: 1, busyLanes: 1 });
    for (const delivery of taken) lane.finish(delivery, { ...outcome(503), retryAfterMs: 1000 });
    await record(lane);
    await load(lane);
    expect(lane.ownLoad()).toEqual({ attempts: 0, busyLanes: 0 });
    nowMs += 1000;
    expect(lane.ownLoad()).toEqual({ attempts: 0, busyLanes: 1 });
    lane.close();
    expect(lane.ownLoad()).toEqual({ attempts: 0, busyLanes: 0 });
  });

  describe('an idle lane', () => {
    test('a lane is idle at the end of the log, once what it has read is recorded', async () => {
      const lane = await add();
      await createPlants(1);
      expect(lane.isIdle()).toBe(false);
      const taken = await pass(lane);
      expect(lane.isIdle()).toBe(false);
      await end(lane, taken, 204);
      // It has not looked for due deliveries since then.
      await refreshedPass(lane);
      expect(lane.isIdle()).toBe(true);
      lane.open(lane.webhook());
      expect(lane.isIdle()).toBe(false);
    });

    test('a lane is not idle while events wait, or the log has more', async () => {
      const lane = await add({ events: ['plant.deleted'] });
      await createPlants(readMax + 50);
      await load(lane);
      const atEnd = lane.isIdle();
      await record(lane);
      expect([atEnd, lane.isIdle()]).toEqual([false, true]);
      await store.plants.delete(1n);
      await load(lane);
      expect(lane.isIdle()).toBe(false);

      const behind = await add();
      await raiseLimit(behind, concurrencyMax);
      await load(behind);
      expect(behind.isIdle()).toBe(false);
      for (const _part of [1, 2]) await end(behind, behind.take(noLimit), 204);
      expect(behind.isIdle()).toBe(false);
    });

    test('a closed lane is idle once nothing is in flight, and its position is recorded', async () => {
      const lane = await add();
      await createPlants(1);
      const taken = await pass(lane);
      lane.close();
      expect(lane.isIdle()).toBe(false);
      for (const delivery of taken) lane.finish(delivery, outcome(204));
      expect(lane.isIdle()).toBe(false);
      await record(lane);
      expect(lane.isIdle()).toBe(true);
    });

    test.each([
      ['is due', 5000],
      ['was scheduled by a clock far ahead', -delayMsMax],
    ])('a lane is not idle when a retry %s', async (_when, ms) => {
      const lane = await add();
      await createPlants(1);
      await end(lane, await pass(lane), 500);
      await refreshedPass(lane);
      expect(lane.isIdle()).toBe(true);
      nowMs += ms;
      expect(lane.isIdle()).toBe(false);
    });
  });

  describe('the limit of a lane', () => {
    test.each([
      [0, 0, 1],
      [1, 0, 2],
      [6, 0, 7],
      [concurrencyMax - 1, 0, concurrencyMax],
      [concurrencyMax + 4, 0, concurrencyMax],
      [concurrencyMax, 1, concurrencyMax / 2],
      [concurrencyMax, 2, concurrencyMax / 4],
      [concurrencyMax, 3, concurrencyMax / 8],
      [20, 4, 1],
      [concurrencyMax, 7, 1],
    ])('after %d successes and then %d failures the limit of a lane is %d', async (successes, failures, limit) => {
      const lane = await add();
      await endTests(lane, successes, 204);
      await endTests(lane, failures, 500);
      await createPlants(2 * concurrencyMax);
      expect(await pass(lane)).toHaveLength(limit);
      expect(await pass(lane)).toEqual([]);
    });

    test('a lane claims no more than its share', async () => {
      const lane = await add();
      await raiseLimit(lane, concurrencyMax);
      await createPlants(2 * concurrencyMax);
      expect(await pass(lane, 3)).toHaveLength(3);
      expect(await pass(lane, 2)).toEqual([]);
      expect(await pass(lane, 4)).toHaveLength(1);
    });

    test('a delivery counts towards the limit until its outcome is recorded', async () => {
      const lane = await add();
      await createPlants(2);
      const [first] = await pass(lane);
      if (!first) throw new Error('the lane claimed nothing');
      lane.finish(first, outcome(500));
      expect(lane.inFlight()).toBe(1);
      expect(await pass(lane)).toEqual([]);
      await record(lane);
      expect(lane.inFlight()).toBe(0);
      expect(sequencesOf(await pass(lane))).toEqual([2]);
    });
  });

  describe('a pause', () => {
    /** Whether the lane claims a delivery without a request, at this time after the start. */
    const claimsAt = async (lane: Lane, afterMs: number): Promise<boolean> => {
      nowMs = startMs + afterMs;
      return (await refreshedPass(lane)).length > 0;
    };

    beforeEach(() => createPlants(1));

    test('a lane is not paused if a success interrupts its failures', async () => {
      const lane = await add();
      await endTests(lane, failuresInARowMax, 500);
      await endTest(lane, outcome(204));
      await endTests(lane, failuresInARowMax, 500);
      expect(await claimsAt(lane, 0)).toBe(true);
    });

    test('the pause for a dead receiver ends with a success', async () => {
      const lane = await add();
      await endTests(lane, failuresInARowMax + 1, 500);
      expect(await claimsAt(lane, deadPauseMs - 1)).toBe(false);
      nowMs = startMs + deadPauseMs / 2;
      await endTest(lane, outcome(204));
      await endTest(lane, outcome(500));
      expect(await claimsAt(lane, deadPauseMs / 2)).toBe(true);
    });

    test.each([
      ['a dead receiver', failuresInARowMax + 1, {}, deadPauseMs],
      ['a receiver that requests it', 1, { retryAfterMs: 7000 }, 7000],
      ['a receiver that requests more than the maximum', 1, { retryAfterMs: pauseMsMax + 1 }, pauseMsMax],
    ])('the pause for %s ends on time', async (_whose, failures, request, pauseMs) => {
      const lane = await add();
      for (let time = 0; time < failures; time += 1) await endTest(lane, { ...outcome(429), ...request });
      expect(await claimsAt(lane, pauseMs - 1)).toBe(false);
      expect(await claimsAt(lane, pauseMs)).toBe(true);
    });

    test('neither a shorter Retry-After nor a success that began before the pause ends a pause early', async () => {
      const lane = await add();
      nowMs = startMs + 1000;
      await endTest(lane, { ...outcome(503), retryAfterMs: 7000 });
      nowMs = startMs + 2000;
      await endTest(lane, { ...outcome(503), retryAfterMs: 1000 });
      expect(await claimsAt(lane, 7999)).toBe(false);
      nowMs = startMs + 2000;
      await endTest(lane, { ...outcome(503), retryAfterMs: pauseMsMax });
      nowMs = startMs + 3000;
      await endTest(lane, outcome(204, 1500));
      expect(await claimsAt(lane, 1999 + pauseMsMax)).toBe(false);
      nowMs = startMs + 3000;
      await endTest(lane, outcome(204));
      expect(await claimsAt(lane, 3000)).toBe(true);
    });
  });

  describe('the position of a lane', () => {
    test.each([
      [
        [5, 6],
        [5n, 7n],
      ],
      [
        [6, 5],
        [4n, 7n],
      ],
    ])(
      'the position stays before deliveries in flight and waiting events if the events %p end in this order',
      async (order, positions) => {
        const lane = await add({ events: ['plant.created'] }, 3n);
        await createPlants(1);
        await attemptNew(
          store,
          { ...lane.webhook(), position: 0n },
          outcome(500).attempt,
          new Date(nowMs).toISOString(),
        );
        await createPlants(2, 2);
        await store.plants.update(1n, { name: 'm' });
        await createPlants(2, 4);
        await store.plants.update(1n, { name: 'n' });
        await createPlants(2, 6);
        await raiseLimit(lane, 3);
        expect(lane.progress()).toEqual({ changes: [] });
        const taken = await refreshedPass(lane, 3);
        expect(sequencesOf(taken)).toEqual([1, 5, 6]);
        expect(lane.progress().position).toBe(4n);
        for (const [index, sequence] of order.entries()) {
          const delivery = taken.find(({ event }) => event.sequence === BigInt(sequence));
          if (!delivery) throw new Error('the lane did not claim it');
          lane.finish(delivery, outcome(204));
          expect(lane.progress().position).toBe(positions[index]);
        }
      },
    );

    test('the position does not pass an event in flight if a test with the same sequence has ended', async () => {
      const lane = await add();
      await createPlants(1);
      await raiseLimit(lane, 2);
      await store.deliveries.createTestMessage(lane.webhook().id);
      const [requested, event] = await refreshedPass(lane);
      if (!requested || !event) throw new Error('the lane did not claim both');
      expect([requested.event.sequence, event.event.sequence]).toEqual([1n, 1n]);
      expect((await end(lane, [requested], 204)).position).toBeUndefined();
      expect(lane.inFlight()).toBe(1);
      expect((await end(lane, [event], 204)).position).toBe(1n);
      expect(lane.inFlight()).toBe(0);
    });

    test('the position passes events of types without a subscription, so that the log can be pruned', async () => {
      const lane = await add({ events: ['plant.deleted'] });
      await createPlants(3);
      expect(await pass(lane)).toEqual([]);
      expect(await record(lane)).toEqual({ changes: [], position: 3n });
      expect((await store.webhooks.get(lane.webhook().id))?.position).toBe(3n);
      expect(lane.progress()).toEqual({ changes: [] });
    });

    test('an outcome that arrives during a write is recorded by the next write', async () => {
      const lane = await add();
      await raiseLimit(lane, 2);
      await createPlants(2);
      const [first, second] = await pass(lane);
      if (!first || !second) throw new Error('the lane did not claim both');
      lane.finish(first, outcome(204));
      const progress = lane.progress();
      lane.finish(second, outcome(204));
      lane.recorded(progress);
      expect(lane.inFlight()).toBe(1);
      expect(lane.progress()).toMatchObject({ changes: [{ before: second }], position: 2n });
    });
  });

  describe('due deliveries', () => {
    let lane: Lane;
    beforeEach(async () => {
      lane = await add();
      await createPlants(3);
      await raiseLimit(lane, 8);
      const deliveries = await pass(lane);
      expect(sequencesOf(deliveries)).toEqual([1, 2, 3]);
      // After these failures the limit is 1.
      await end(lane, deliveries, 500);
    });

    test('a retry is claimed once when it is due, and due retries are read until all are claimed', async () => {
      await raiseLimit(lane, 2);
      expect(await refreshedPass(lane)).toEqual([]);
      nowMs += 5000;
      expect(await pass(lane)).toEqual([]);
      const taken = await refreshedPass(lane);
      expect(sequencesOf(taken)).toEqual([1, 2]);
      expect(taken.map(({ attempts }) => attempts.length)).toEqual([1, 1]);
      expect(await pass(lane)).toEqual([]);
      await end(lane, taken.slice(0, 1), 204);
      const rest = await pass(lane);
      expect(sequencesOf(rest)).toEqual([3]);
      await end(lane, [...taken.slice(1), ...rest], 204);
      expect(await pass(lane)).toEqual([]);
    });

    test('during a pause only requested deliveries are claimed', async () => {
      await raiseLimit(lane, concurrencyMax);
      nowMs += 5000;
      await endTest(lane, { ...outcome(429), retryAfterMs: 1000 });
      // This attempt began before the pause, so its success does not end the pause.
      await endTest(lane, outcome(204, 1000));
      await createPlants(1, 4);
      await store.deliveries.createTestMessage(lane.webhook().id);
      const [requested, ...others] = await refreshedPass(lane);
      expect(requested?.event).toMatchObject({ sequence: 4n, type: 'webhook.test' });
      expect(others).toEqual([]);
      nowMs += 1000;
      const taken = await refreshedPass(lane);
      expect(taken.map(({ event, attempts }) => [event.sequence, attempts.length])).toEqual([
        [1n, 1],
        [2n, 1],
        [3n, 1],
        [4n, 0],
      ]);
      await end(lane, taken, 204);
      expect(lane.take(noLimit)).toEqual([]);
    });
  });

  describe('new events', () => {
    test('the log is read in pages, and `load` returns whether there is another page', async () => {
      await createPlants(readMax + 1);
      for (const [position, hasMore] of [
        [0n, true],
        [2n, false],
      ] as const) {
        const lane = await add({}, position);
        expect(await load(lane)).toBe(hasMore);
        expect(sequencesOf(lane.take(noLimit))).toEqual([Number(position) + 1]);
      }
    });

    test('the next event of a type is found in one page, after any number of events of other types', async () => {
      const lane = await add({ events: ['plant.deleted', 'plant.updated', 'plant.deleted'] });
      await createPlants(readMax + 50);
      await store.plants.delete(1n);
      expect(await load(lane)).toBe(false);
      expect(sequencesOf(lane.take(noLimit))).toEqual([readMax + 51]);
      // At the end of the log, it reads with the other lanes.
      await createPlants(readMax + 50, readMax + 51);
      await store.plants.delete(2n);
      expect(await load(lane)).toBe(false);
      expect(sequencesOf(lane.take(noLimit))).toEqual([]);
    });

    test('the log is not read while the lane is at its limit', async () => {
      const lane = await add();
      await createPlants(2 * readMax);
      expect(await load(lane)).toBe(true);
      expect(await load(lane)).toBe(false);
      expect(lane.take(noLimit)).toHaveLength(1);
      expect(await load(lane)).toBe(false);
    });

    test('a delivery that was attempted before a crash is not claimed as new, even from an old position', async () => {
      const lane = await add();
      await createPlants(readMax + 50);
      for (const position of [0n, BigInt(readMax)]) {
        await attemptNew(store, { ...lane.webhook(), position }, outcome(204).attempt);
      }
      expect([await pass(lane), await pass(lane), await pass(lane)]).toEqual([[], [], []]);
      await createPlants(1, readMax + 51);
      expect(sequencesOf(await pass(lane))).toEqual([readMax + 51]);
    });
  });

  describe('a closed lane', () => {
    test('a closed lane claims nothing, and an opened one claims no deliveries that are in flight', async () => {
      const lane = await add();
      await createPlants(4);
      await raiseLimit(lane, 2);
      const [first, second] = await pass(lane);
      if (!first || !second) throw new Error('the lane did not claim both');
      await end(lane, [first], 204);
      expect(lane.close()).toBe(true);
      expect(lane.close()).toBe(false);
      expect(lane.progress()).toEqual({ changes: [] });
      expect(lane.inFlight()).toBe(1);
      expect(await pass(lane)).toEqual([]);
      expect(sequencesOf(await refreshedPass(lane))).toEqual([3, 4]);
    });

    test('a reopened lane does not claim deliveries that were attempted while it was closed', async () => {
      const lane = await add();
      await createPlants(3);
      await raiseLimit(lane, 2);
      const [first, second] = await pass(lane);
      if (!first || !second) throw new Error('the lane did not claim both');
      await end(lane, [second], 204);
      lane.close();
      await end(lane, [first], 204);
      expect(sequencesOf(await refreshedPass(lane))).toEqual([3]);
    });
  });
});
