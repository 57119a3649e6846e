/** What a lane makes of its receiver, and how far it has come. */
import { describe, expect, test } from 'bun:test';
import { type Delivery, pauseMsMax } from '../../src/domain/delivery.ts';
import type { PlantEvent, Sequenced } from '../../src/domain/event.ts';
import {
  adapt,
  close,
  createLane,
  deadPauseMs,
  failuresInARowMax,
  positionAfter,
  windowMax,
} from '../../src/jobs/lane.ts';
import { createOutcomes } from '../../src/jobs/outcomes.ts';
import { attemptsMax, createSlots, sharedMax } from '../../src/jobs/slots.ts';
import type { DeliveryStore } from '../../src/store/store.ts';
import { openTestStore } from '../support/engines.ts';

const attemptOf = (status: number) => ({ at: '2026-01-01T00:00:00.000Z', durationMs: 1, status });
const good = { attempt: attemptOf(204) };
const bad = { attempt: attemptOf(500) };
const times = (count: number, run: () => void): void => {
  for (let time = 0; time < count; time += 1) run();
};
const eventOf = (sequence: bigint): Sequenced<PlantEvent> => ({
  sequence,
  type: 'plant.deleted',
  timestamp: '2026-01-01T00:00:00.000Z',
  id: sequence,
});

describe('a receiver', () => {
  test('earns attempts one by one, loses half of them by a failure, and always has one', () => {
    const lane = createLane(0n);
    expect(lane.window).toBe(1);
    adapt(lane, good, 0);
    expect(lane.window).toBe(2);
    times(20, () => adapt(lane, good, 0));
    expect(lane.window).toBe(windowMax);
    for (const window of [4, 2, 1, 1]) {
      adapt(lane, bad, 0);
      expect(lane.window).toBe(window);
    }
  });

  test('counts as dead after failures in a row, and not after as many with a success between', () => {
    const lane = createLane(0n);
    times(failuresInARowMax, () => adapt(lane, bad, 1000));
    expect(lane.pausedUntilMs).toBe(1000);
    adapt(lane, bad, 1000);
    expect(lane.pausedUntilMs).toBe(1000 + deadPauseMs);
    adapt(lane, good, 1500);
    expect(lane.pausedUntilMs).toBe(1500);
    adapt(lane, bad, 1500);
    expect(lane.pausedUntilMs).toBe(1500);
  });

  test('is left alone for as long as it asks, up to a limit, until it takes something', () => {
    const lane = createLane(0n);
    adapt(lane, { ...bad, retryAfterMs: 7000 }, 1000);
    expect(lane.pausedUntilMs).toBe(8000);
    adapt(lane, { ...bad, retryAfterMs: 1000 }, 2000);
    expect(lane.pausedUntilMs).toBe(8000);
    adapt(lane, { ...bad, retryAfterMs: pauseMsMax + 1 }, 2000);
    expect(lane.pausedUntilMs).toBe(2000 + pauseMsMax);
    // This one began before it asked, and says nothing.
    adapt(lane, { attempt: { ...attemptOf(204), durationMs: 1500 } }, 3000);
    expect(lane.pausedUntilMs).toBe(2000 + pauseMsMax);
    adapt(lane, good, 3000);
    expect(lane.pausedUntilMs).toBe(3000);
  });
});

describe('the position', () => {
  test('stays before what is under way and before what was read and not begun', () => {
    const slots = createSlots();
    const lane = createLane(3n);
    expect(positionAfter(lane, new Set())).toBe(3n);
    lane.readTo = 9n;
    expect(positionAfter(lane, new Set())).toBe(9n);
    lane.waiting.push(eventOf(8n), eventOf(9n));
    expect(positionAfter(lane, new Set())).toBe(7n);
    slots.take(lane, eventOf(5n), true);
    slots.take(lane, eventOf(6n), true);
    slots.take(lane, eventOf(1n), false);
    expect(positionAfter(lane, new Set())).toBe(4n);
    expect(positionAfter(lane, new Set([6n]))).toBe(4n);
    expect(positionAfter(lane, new Set([5n]))).toBe(5n);
    expect(positionAfter(lane, new Set([5n, 6n]))).toBe(7n);
  });

  test('does not pass an event under way when a test after it has ended', async () => {
    const slots = createSlots();
    const positions: unknown[] = [];
    const record: DeliveryStore['record'] = async (_changes, moved) => void positions.push(...moved);
    const store = await openTestStore();
    const outcomes = createOutcomes({ ...store.deliveries, record }, slots, 0);
    const lane = Object.assign(createLane(4n), { readTo: 5n });
    const event: Sequenced = { sequence: 5n, number: 1n, type: 'webhook.test', timestamp: '2026-01-01T00:00:00.000Z' };
    const before: Delivery = { webhookId: 'wh', event, attempts: [], tries: 0 };
    slots.take(lane, eventOf(5n), true);
    slots.take(lane, event, false);
    outcomes.add(lane, { before, after: before });
    await outcomes.record(new Map([['wh', lane]]));
    expect(positions).toEqual([]);
    expect([...lane.inFlight]).toEqual(['5']);
    expect([...lane.newInFlight]).toEqual([5n]);
    outcomes.add(lane, { before: { ...before, event: eventOf(5n) }, after: before });
    await outcomes.record(new Map([['wh', lane]]));
    expect(positions).toEqual([['wh', 5n]]);
    await store.close();
  });

  test('is where a lane that was closed reads on, but for what is under way', () => {
    const slots = createSlots();
    const lane = createLane(3n);
    lane.readTo = 9n;
    lane.isCaughtUp = true;
    lane.waiting.push(eventOf(8n), eventOf(9n));
    slots.take(lane, eventOf(5n), true);
    close(lane);
    expect(lane).toMatchObject({ readTo: 4n, waiting: [], isCaughtUp: false, isOpen: false });
    expect([...lane.inFlight]).toEqual(['5']);
  });
});

describe('places', () => {
  const fullLane = () => Object.assign(createLane(0n), { window: windowMax });

  /** Begins all that there is room for, and says how many that are. */
  const fill = (slots: ReturnType<typeof createSlots>, lane: ReturnType<typeof createLane>): number => {
    while (slots.hasRoom(lane)) slots.take(lane, eventOf(BigInt(lane.inFlight.size)), true);
    return lane.inFlight.size;
  };

  test('are shared evenly, and each lane may have one whatever the others do', () => {
    const slots = createSlots();
    const lanes = Array.from({ length: 100 }, fullLane);
    expect(lanes.slice(0, 8).map((lane) => fill(slots, lane))).toEqual(Array(8).fill(windowMax));
    const counts = lanes.slice(8).map((lane) => fill(slots, lane));
    expect(counts[0]).toBe(Math.floor(sharedMax / 9));
    expect(Math.min(...counts)).toBe(1);
    const total = lanes.reduce((sum, { inFlight }) => sum + inFlight.size, 0);
    expect(total).toBeLessThanOrEqual(attemptsMax + lanes.length);
  });

  test('come back when they are freed', () => {
    const slots = createSlots();
    const lanes = Array.from({ length: 64 }, fullLane);
    for (const lane of lanes) fill(slots, lane);
    for (const lane of lanes.slice(1)) for (const place of [...lane.inFlight]) slots.free(lane, eventOf(BigInt(place)));
    const [first = fullLane()] = lanes;
    expect(first.inFlight.size).toBe(windowMax);
    expect(fill(slots, fullLane())).toBe(windowMax);
  });
});
