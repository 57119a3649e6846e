/** What is begun, turn by turn, on a real store; nothing is sent, and time goes on by hand. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Delivery, retryDelaysSeconds } from '../../src/domain/delivery.ts';
import { plantEventTypes } from '../../src/domain/event.ts';
import type { NewWebhook } from '../../src/domain/webhook.ts';
import type { Lane } from '../../src/jobs/lane.ts';
import { createLanes, type Lanes } from '../../src/jobs/lanes.ts';
import { createOutcomes } from '../../src/jobs/outcomes.ts';
import { createSlots, type Slots } from '../../src/jobs/slots.ts';
import { createLog } from '../../src/log.ts';
import type { Store } from '../../src/store/store.ts';
import { openTestStore } from '../support/engines.ts';

interface Begun {
  readonly lane: Lane;
  readonly delivery: Delivery;
  readonly isNew: boolean;
}

const startMs = Date.parse('2026-01-01T00:00:00.000Z');
let store: Store;
let slots: Slots;
let lanes: Lanes;
let nowMs: number;
let begun: Begun[];
let goneOn: number;
let warnings: object[];
beforeEach(async () => {
  store = await openTestStore();
  slots = createSlots();
  nowMs = startMs;
  begun = [];
  goneOn = 0;
  warnings = [];
  const log = createLog('silent');
  log.warn = (entry: object) => {
    warnings.push(entry);
  };
  lanes = createLanes({
    store,
    slots,
    log,
    clock: { nowMs: () => nowMs },
    begin: (_webhook, lane, delivery, isNew) => {
      slots.take(lane, delivery.event, isNew);
      begun.push({ lane, delivery, isNew });
    },
    goOn: () => {
      goneOn += 1;
    },
  });
});
afterEach(() => store.close());

const add = (options: Partial<NewWebhook> = {}) =>
  store.webhooks.create({ url: 'https://example.com/', events: plantEventTypes, secret: 's', ...options });

const createPlants = async (count: number, first = 1): Promise<void> => {
  for (let id = first; id < first + count; id += 1) await store.plants.create({ id: BigInt(id), name: 'n' });
};

/** What one more turn begins: the sequences, and whether each is new. */
const turn = async (): Promise<[number, boolean][]> => {
  const before = begun.length;
  await lanes.fill();
  return begun.slice(before).map(({ delivery, isNew }) => [Number(delivery.event.sequence), isNew]);
};

const widen = (id: string, window: number): void => {
  const lane = lanes.all.get(id);
  if (lane) lane.window = window;
};

/** Ends what is under way with this status, and writes it down. */
const end = async (status: number): Promise<void> => {
  const changes = begun.map(({ lane, delivery }) => {
    const { nextAttemptAt: _, ...settled } = delivery;
    const attempts = [...delivery.attempts, { at: new Date(nowMs).toISOString(), durationMs: 1, status }];
    const nextAttemptAt = new Date(nowMs + (retryDelaysSeconds[0] ?? 0) * 1000).toISOString();
    const after = { ...settled, attempts, tries: delivery.tries + 1, ...(status === 500 && { nextAttemptAt }) };
    slots.free(lane, delivery.event);
    return { before: delivery, after };
  });
  begun = [];
  await store.deliveries.record(changes, new Map());
};

describe('what is due', () => {
  beforeEach(async () => {
    const { id } = await add();
    await createPlants(3);
    await lanes.refresh();
    widen(id, 8);
    expect(await turn()).toEqual([
      [1, true],
      [2, true],
      [3, true],
    ]);
    await end(500);
  });

  test('is begun when its time has come, once, and looked for again as long as there is some', async () => {
    const [lane] = lanes.all.values();
    if (!lane) throw new Error('there is no lane');
    lane.window = 2;
    await lanes.refresh();
    expect(await turn()).toEqual([]);
    nowMs += 5000;
    expect(await turn()).toEqual([]);
    await lanes.refresh();
    expect(await turn()).toEqual([
      [1, false],
      [2, false],
    ]);
    expect(await turn()).toEqual([]);
    lane.window = 3;
    expect(await turn()).toEqual([[3, false]]);
    await end(204);
    expect(await turn()).toEqual([]);
  });

  test('waits while its receiver asks to be left alone, but for what was asked for by hand', async () => {
    const [webhook] = await store.webhooks.list();
    const [lane] = lanes.all.values();
    if (!lane || !webhook) throw new Error('there is no lane');
    nowMs += 5000;
    lane.pausedUntilMs = nowMs + 1;
    await createPlants(1, 4);
    await store.deliveries.test(webhook.id);
    await lanes.refresh();
    expect(await turn()).toEqual([[4, false]]);
    nowMs += 1;
    await lanes.refresh();
    expect((await turn()).sort()).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [4, true],
    ]);
  });
});

describe('what is new', () => {
  test('is read in pieces, and there is another turn for the next one', async () => {
    await add({ events: ['plant.deleted'] });
    await createPlants(150);
    await store.plants.delete(1n);
    await lanes.refresh();
    expect(await turn()).toEqual([]);
    expect(goneOn).toBe(1);
    expect(await turn()).toEqual([[151, true]]);
    expect(goneOn).toBe(1);
  });

  test('is not what was tried before a crash, however far back the position was', async () => {
    const { id } = await add();
    await createPlants(150);
    const { events } = await store.deliveries.readUntried(id, 0n, 1000);
    const attempts = [{ at: new Date(startMs).toISOString(), durationMs: 1, status: 204 }];
    const changes = events.map((event) => {
      const before = { webhookId: id, event, attempts: [], tries: 0 };
      return { before, after: { ...before, attempts, tries: 1 } };
    });
    await store.deliveries.record(changes, new Map());
    await lanes.refresh();
    expect([await turn(), await turn(), await turn()]).toEqual([[], [], []]);
    await createPlants(1, 151);
    expect(await turn()).toEqual([[151, true]]);
  });

  test('is one reading of the log for all that have come to its end', async () => {
    const ids = [(await add()).id, (await add()).id, (await add()).id];
    await lanes.refresh();
    await turn();
    await createPlants(1);
    expect(await turn()).toEqual([
      [1, true],
      [1, true],
      [1, true],
    ]);
    expect(new Set(begun.map(({ delivery }) => delivery.webhookId))).toEqual(new Set(ids));
  });

  test('moves a webhook on that wants none of it, so that the log can be pruned', async () => {
    const { id } = await add({ events: ['plant.deleted'] });
    await createPlants(3);
    await lanes.refresh();
    await turn();
    const outcomes = createOutcomes(store.deliveries, slots, 0);
    expect(await outcomes.record(lanes.all)).toBe(false);
    expect((await store.webhooks.get(id))?.position).toBe(3n);
  });
});

describe('a webhook that is disabled', () => {
  test('is told of once, begins nothing, and goes on where it was when it is enabled, with its places still taken', async () => {
    const { id } = await add();
    await createPlants(4);
    await lanes.refresh();
    widen(id, 2);
    expect(await turn()).toHaveLength(2);
    const [first, ...rest] = begun;
    if (!first) throw new Error('nothing was begun');
    begun = [first];
    await end(410);
    begun = rest;
    await lanes.refresh();
    await lanes.refresh();
    expect(warnings).toEqual([{ webhookId: id, reason: 'gone' }]);
    expect(await turn()).toEqual([]);

    await store.deliveries.test(id);
    await lanes.refresh();
    expect(await turn()).toEqual([[4, false]]);
    widen(id, 8);
    expect(await turn()).toEqual([
      [3, true],
      [4, true],
    ]);
  });

  test('leaves no lane behind when nothing is under way', async () => {
    const { id } = await add();
    await lanes.refresh();
    expect(lanes.all.size).toBe(1);
    await store.webhooks.delete(id);
    await lanes.refresh();
    expect(lanes.all.size).toBe(0);
    expect(warnings).toEqual([]);
  });
});
