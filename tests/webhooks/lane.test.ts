/** A lane on a real store: what it gives out, pass by pass. Nothing is sent, and the clock is set by hand. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Delivery, type Outcome, pauseMsMax } from '../../src/domain/delivery.ts';
import { plantEventTypes } from '../../src/domain/event.ts';
import type { NewWebhook } from '../../src/domain/webhook.ts';
import type { Store } from '../../src/store/store.ts';
import {
  concurrencyMax,
  createLane,
  deadPauseMs,
  failuresInARowMax,
  type Lane,
  type Progress,
  readMax,
} from '../../src/webhooks/lane.ts';
import { attemptNew, neverLeased } from '../support/attempts.ts';
import { onBothEngines, openTestStore } from '../support/engines.ts';

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
    lane.load(share, (after) => store.events.read(after, readMax));

  /** What one more pass gives out. */
  const pass = async (lane: Lane, share = noLimit): Promise<Delivery[]> => {
    await load(lane, share);
    return lane.take(share);
  };

  /** The same, once the lane looks for what is due. */
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

  /** Ends these deliveries with this status, and records it. */
  const end = async (lane: Lane, deliveries: readonly Delivery[], status: number): Promise<Progress> => {
    for (const delivery of deliveries) lane.finish(delivery, outcome(status));
    return record(lane);
  };

  /** The receiver answers one test; the log is not touched. */
  const answer = async (lane: Lane, answered: Outcome): Promise<void> => {
    await store.deliveries.test(lane.webhook().id);
    const [delivery, ...others] = await refreshedPass(lane, 1);
    if (!delivery) throw new Error('the lane gives out no test');
    expect(others).toEqual([]);
    lane.finish(delivery, answered);
    await record(lane);
  };

  const answerTimes = async (lane: Lane, times: number, status: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await answer(lane, outcome(status));
  };

  /** Has the lane earned so many attempts at once. */
  const earn = (lane: Lane, limit: number): Promise<void> => answerTimes(lane, limit - 1, 204);

  describe('the limit of a lane', () => {
    test.each([
      [0, 0, 1],
      [1, 0, 2],
      [6, 0, 7],
      [concurrencyMax - 1, 0, concurrencyMax],
      [20, 0, concurrencyMax],
      [20, 1, concurrencyMax / 2],
      [20, 2, concurrencyMax / 4],
      [20, 3, concurrencyMax / 8],
      [20, 4, 1],
      [20, 5, 1],
    ])('after %d successes and then %d failures the limit of a lane is %d', async (successes, failures, limit) => {
      const lane = await add();
      await answerTimes(lane, successes, 204);
      await answerTimes(lane, failures, 500);
      await createPlants(2 * concurrencyMax);
      expect(await pass(lane)).toHaveLength(limit);
      expect(await pass(lane)).toEqual([]);
    });

    test('a lane claims no more than its share', async () => {
      const lane = await add();
      await earn(lane, concurrencyMax);
      await createPlants(2 * concurrencyMax);
      expect(await pass(lane, 3)).toHaveLength(3);
      expect(await pass(lane, 2)).toEqual([]);
      expect(await pass(lane, 4)).toHaveLength(1);
    });

    test('a delivery keeps its place until its outcome is recorded', async () => {
      const lane = await add();
      await createPlants(2);
      const [first] = await pass(lane);
      if (!first) throw new Error('the lane gives out nothing');
      lane.finish(first, outcome(500));
      expect(lane.inFlight()).toBe(1);
      expect(await pass(lane)).toEqual([]);
      await record(lane);
      expect(lane.inFlight()).toBe(0);
      expect(sequencesOf(await pass(lane))).toEqual([2]);
    });
  });

  describe('a pause', () => {
    /** Whether the lane gives out what was not requested, so many milliseconds after the start. */
    const givesAt = async (lane: Lane, afterMs: number): Promise<boolean> => {
      nowMs = startMs + afterMs;
      return (await refreshedPass(lane)).length > 0;
    };

    beforeEach(() => createPlants(1));

    test('failures with a success between them do not pause a lane', async () => {
      const lane = await add();
      await answerTimes(lane, failuresInARowMax, 500);
      await answer(lane, outcome(204));
      await answerTimes(lane, failuresInARowMax, 500);
      expect(await givesAt(lane, 0)).toBe(true);
    });

    test('the pause of a dead receiver ends with a success', async () => {
      const lane = await add();
      await answerTimes(lane, failuresInARowMax + 1, 500);
      expect(await givesAt(lane, deadPauseMs - 1)).toBe(false);
      nowMs = startMs + deadPauseMs / 2;
      await answer(lane, outcome(204));
      await answer(lane, outcome(500));
      expect(await givesAt(lane, deadPauseMs / 2)).toBe(true);
    });

    test.each([
      ['a dead receiver', failuresInARowMax + 1, {}, deadPauseMs],
      ['one that asks for it', 1, { retryAfterMs: 7000 }, 7000],
      ['one that asks for more than the limit', 1, { retryAfterMs: pauseMsMax + 1 }, pauseMsMax],
    ])('the pause of %s ends on time', async (_whose, failures, asked, pauseMs) => {
      const lane = await add();
      for (let time = 0; time < failures; time += 1) await answer(lane, { ...outcome(429), ...asked });
      expect(await givesAt(lane, pauseMs - 1)).toBe(false);
      expect(await givesAt(lane, pauseMs)).toBe(true);
    });

    test('a pause is not shortened by a shorter Retry-After, nor ended by a success that began before it', async () => {
      const lane = await add();
      nowMs = startMs + 1000;
      await answer(lane, { ...outcome(503), retryAfterMs: 7000 });
      nowMs = startMs + 2000;
      await answer(lane, { ...outcome(503), retryAfterMs: 1000 });
      expect(await givesAt(lane, 7999)).toBe(false);
      nowMs = startMs + 2000;
      await answer(lane, { ...outcome(503), retryAfterMs: pauseMsMax });
      nowMs = startMs + 3000;
      await answer(lane, outcome(204, 1500));
      expect(await givesAt(lane, 1999 + pauseMsMax)).toBe(false);
      nowMs = startMs + 3000;
      await answer(lane, outcome(204));
      expect(await givesAt(lane, 3000)).toBe(true);
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
      'the position stays before deliveries in flight and waiting events, when the events %p end in this order',
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
        await earn(lane, 3);
        expect(lane.progress()).toEqual({ changes: [] });
        const taken = await refreshedPass(lane, 3);
        expect(sequencesOf(taken)).toEqual([1, 5, 6]);
        expect(lane.progress().position).toBe(4n);
        for (const [index, sequence] of order.entries()) {
          const delivery = taken.find(({ event }) => event.sequence === BigInt(sequence));
          if (!delivery) throw new Error('the lane has not given it out');
          lane.finish(delivery, outcome(204));
          expect(lane.progress().position).toBe(positions[index]);
        }
      },
    );

    test('the position does not pass an event in flight when a test with its sequence has ended', async () => {
      const lane = await add();
      await createPlants(1);
      await earn(lane, 2);
      await store.deliveries.test(lane.webhook().id);
      const [asked, event] = await refreshedPass(lane);
      if (!asked || !event) throw new Error('the lane has not given out both');
      expect([asked.event.sequence, event.event.sequence]).toEqual([1n, 1n]);
      expect((await end(lane, [asked], 204)).position).toBeUndefined();
      expect(lane.inFlight()).toBe(1);
      expect((await end(lane, [event], 204)).position).toBe(1n);
      expect(lane.inFlight()).toBe(0);
    });

    test('the position passes events of other types, so that the log can be pruned', async () => {
      const lane = await add({ events: ['plant.deleted'] });
      await createPlants(3);
      expect(await pass(lane)).toEqual([]);
      expect(await record(lane)).toEqual({ changes: [], position: 3n });
      expect((await store.webhooks.get(lane.webhook().id))?.position).toBe(3n);
      expect(lane.progress()).toEqual({ changes: [] });
    });

    test('an outcome that arrives while the store records is recorded next time', async () => {
      const lane = await add();
      await earn(lane, 2);
      await createPlants(2);
      const [first, second] = await pass(lane);
      if (!first || !second) throw new Error('the lane has not given out both');
      lane.finish(first, outcome(204));
      const progress = lane.progress();
      lane.finish(second, outcome(204));
      lane.recorded(progress);
      expect(lane.inFlight()).toBe(1);
      expect(lane.progress()).toMatchObject({ changes: [{ before: second }], position: 2n });
    });
  });

  describe('what is due', () => {
    let lane: Lane;
    beforeEach(async () => {
      lane = await add();
      await createPlants(3);
      await earn(lane, concurrencyMax / 2);
      const deliveries = await pass(lane);
      expect(sequencesOf(deliveries)).toEqual([1, 2, 3]);
      // The limit is 1 after these.
      await end(lane, deliveries, 500);
    });

    test('a retry is claimed once when it is due, and due retries are read until there are none', async () => {
      await earn(lane, 2);
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
      await earn(lane, concurrencyMax);
      nowMs += 5000;
      await answer(lane, { ...outcome(429), retryAfterMs: 1000 });
      // This one began before the pause, and does not end it.
      await answer(lane, outcome(204, 1000));
      await createPlants(1, 4);
      await store.deliveries.test(lane.webhook().id);
      const [asked, ...others] = await refreshedPass(lane);
      expect(asked?.event).toMatchObject({ sequence: 4n, type: 'webhook.test' });
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

  describe('what is new', () => {
    test('the log is read in pages, and the lane reports whether there is another one', async () => {
      const lane = await add({ events: ['plant.deleted'] });
      await createPlants(readMax + 50);
      await store.plants.delete(1n);
      expect(await load(lane)).toBe(true);
      expect(lane.take(noLimit)).toEqual([]);
      expect(await load(lane)).toBe(false);
      expect(sequencesOf(lane.take(noLimit))).toEqual([readMax + 51]);
    });

    test('the log is not read while the limit is reached', async () => {
      const lane = await add();
      await createPlants(2 * readMax);
      expect(await load(lane)).toBe(true);
      expect(await load(lane)).toBe(false);
      expect(lane.take(noLimit)).toHaveLength(1);
      expect(await load(lane)).toBe(false);
    });

    test('a delivery that was attempted before a crash is not new, however old the position is', async () => {
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

  describe('a lane that was closed', () => {
    test('a closed lane claims nothing, and resumes when it opens, without its deliveries in flight', async () => {
      const lane = await add();
      await createPlants(4);
      await earn(lane, 2);
      const [first, second] = await pass(lane);
      if (!first || !second) throw new Error('the lane has not given out both');
      await end(lane, [first], 204);
      expect(lane.close()).toBe(true);
      expect(lane.close()).toBe(false);
      expect(lane.progress()).toEqual({ changes: [] });
      expect(lane.inFlight()).toBe(1);
      expect(await pass(lane)).toEqual([]);
      expect(sequencesOf(await refreshedPass(lane))).toEqual([3, 4]);
    });

    test('a reopened lane does not claim deliveries that were attempted meanwhile', async () => {
      const lane = await add();
      await createPlants(3);
      await earn(lane, 2);
      const [first, second] = await pass(lane);
      if (!first || !second) throw new Error('the lane has not given out both');
      await end(lane, [second], 204);
      lane.close();
      await end(lane, [first], 204);
      expect(sequencesOf(await refreshedPass(lane))).toEqual([3]);
    });
  });
});
