/** The contract of both engines for lists of the deliveries to all webhooks. Every test runs on a new store. */
import { expect, test } from 'bun:test';
import {
  type Attempt,
  attemptFailures,
  type Delivery,
  type DeliveryState,
  deliveryStates,
  excerptLengthMax,
  stateOf,
} from '../../src/deliveries/delivery.ts';
import { byPlace, type DeliveryPlace, placeOf } from '../../src/deliveries/place.ts';
import { eventIdOf, plantEventTypes } from '../../src/events/event.ts';
import type { Store } from '../../src/store/store.ts';
import { onEveryEngine } from '../support/store/engines.ts';
import { attemptNew, neverLeased } from '../support/webhooks/attempts.ts';

let store: Store;
const use = (fresh: Store): void => {
  store = fresh;
};

const add = () => store.webhooks.create({ url: 'https://a.test/', events: plantEventTypes, secret: 'whsec_1' });
const later = '9999-01-01T00:00:00.000Z';
const at = '2026-01-01T00:00:00.000Z';
const good: Attempt = { at, durationMs: 1, status: 204 };
const bad: Attempt = { at, durationMs: 1, status: 500, excerpt: 'no' };

const createPlants = async (...ids: bigint[]): Promise<void> => {
  for (const id of ids) await store.plants.create({ id, name: 'n' });
};

const ofState = (state: DeliveryState) => store.deliveries.listByState(state, { limit: 1000 });
const namesOf = (deliveries: readonly Delivery[]) =>
  deliveries.map(({ webhookId, event }) => `${eventIdOf(event)} ${webhookId}`);

/** Reads all pages. `between` runs after each. */
const readPages = async (limit: number, between: () => Promise<unknown> = async () => {}): Promise<string[]> => {
  const read: string[] = [];
  for (let after: DeliveryPlace | undefined; ; ) {
    const page = await store.deliveries.listByState('failed', { limit, after });
    read.push(...namesOf(page));
    const last = page.at(-1);
    if (!last || page.length < limit) return read;
    after = placeOf(last);
    await between();
  }
};

onEveryEngine(use, () => {
  test('deliveries of all webhooks are listed by their state, newest event first, then by webhook', async () => {
    const webhooks = [await add(), await add()];
    await createPlants(1n, 2n);
    for (const webhook of webhooks) await attemptNew(store, webhook, bad);
    await createPlants(3n);
    const [first, second] = await Promise.all(webhooks.map(({ id }) => store.webhooks.get(id)));
    if (!first || !second) throw new Error('A webhook is missing.');
    await attemptNew(store, first, good);
    await attemptNew(store, second, bad, later);
    const requested = await store.deliveries.createTestMessage(first.id);

    const all = (await Promise.all(webhooks.map(({ id }) => store.deliveries.list(id, { limit: 100 })))).flat();
    expect(all).toHaveLength(7);
    for (const state of deliveryStates) {
      const expected = all.filter((delivery) => stateOf(delivery) === state).toSorted(byPlace);
      expect(expected.length).toBeGreaterThan(0);
      expect(await ofState(state)).toEqual(expected);
    }
    expect((await ofState('pending'))[0]).toEqual(requested);
    expect(await readPages(1)).toEqual(namesOf(await ofState('failed')));
    expect(await readPages(3)).toEqual(namesOf(await ofState('failed')));
  });

  test('the stored state is that of the delivery, whatever the attempts and the text of the receiver are', async () => {
    const webhook = await add();
    const ending = '"status":200}]';
    const attempts: Attempt[] = [
      ...[200, 204, 299, 300, 301, 404, 410, 429, 500, 599].map((status) => ({ at, durationMs: 1, status })),
      { status: 204, at, durationMs: 1 },
      ...(Object.keys(attemptFailures) as (keyof typeof attemptFailures)[]).map((failure) => ({
        at,
        durationMs: 200,
        failure,
      })),
      ...[ending, `\\${ending}`, `\\\\${ending}`, `"${ending}`, '', '\u0000', '%_', '🌱'.repeat(excerptLengthMax)].map(
        (excerpt) => ({ at, durationMs: 1, status: 500, excerpt }),
      ),
    ];
    const rounds: Attempt[][] = attempts.flatMap((attempt) => [[attempt], [good, attempt], [bad, attempt]]);
    const expected = new Map<string, string[]>();
    for (const round of rounds) {
      const before = await store.deliveries.createTestMessage(webhook.id);
      const { nextAttemptAt: _, requestedAt: __, ...rest } = before;
      const after = { ...rest, attempts: round, attemptsInRound: round.length };
      await store.deliveries.record([{ before, after }], new Map(), neverLeased);
      expected.set(stateOf(after), [eventIdOf(after.event), ...(expected.get(stateOf(after)) ?? [])]);
    }
    expect(expected.size).toBe(2);
    for (const [state, ids] of expected) {
      const found = await ofState(state === 'failed' ? 'failed' : 'delivered');
      expect(found.map(({ event }) => eventIdOf(event))).toEqual(ids);
    }
  });

  test('a page goes on where the one before it ended, while deliveries enter and leave the state', async () => {
    const webhook = await add();
    const ids = Array.from({ length: 40 }, (_, index) => BigInt(index));
    await createPlants(...ids);
    const tried = await attemptNew(store, webhook, bad);
    const [left, stays] = [tried.filter((_, index) => index % 4 === 0), tried.filter((_, index) => index % 4 !== 0)];
    const read = await readPages(5, async () => {
      const before = left.pop();
      if (!before) return;
      await store.deliveries.record(
        [{ before, after: { ...before, attempts: [...before.attempts, good], attemptsInRound: 2 } }],
        new Map(),
        neverLeased,
      );
      await createPlants(1000n + BigInt(left.length));
      await attemptNew(store, (await store.webhooks.get(webhook.id)) ?? webhook, bad);
    });
    expect(new Set(read).size).toBe(read.length);
    expect(read).toEqual(expect.arrayContaining(namesOf(stays)));
  });

  test('the deliveries of a state are counted up to a limit', async () => {
    const webhook = await add();
    await createPlants(1n, 2n, 3n);
    await attemptNew(store, webhook, bad);
    const counts = [0, 1, 3, 4].map((limit) => store.deliveries.countByState('failed', limit));
    expect(await Promise.all(counts)).toEqual([0, 1, 3, 3]);
    expect(await store.deliveries.countByState('delivered', 5)).toBe(0);
  });
});
