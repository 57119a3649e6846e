import { afterEach, beforeEach } from 'bun:test';
import { generateSecret } from '../../src/base/signature.ts';
import { type Delivery, stateOf } from '../../src/deliveries/delivery.ts';
import { plantEventTypes } from '../../src/events/event.ts';
import { createLog } from '../../src/log.ts';
import { createPost } from '../../src/sender/attempt.ts';
import { type Scheduler, type SchedulerOptions, startScheduler } from '../../src/sender/scheduler.ts';
import type { Store } from '../../src/store/store.ts';
import type { NewWebhook } from '../../src/webhooks/webhook.ts';
import { openTestStore } from '../support/store/engines.ts';
import { until } from '../support/until.ts';
import type { Received, Receiver } from '../support/webhooks/receiver.ts';

export const startMs = Date.parse('2026-01-01T00:00:00.000Z');
/** The tests send to receivers on this machine. */
export const allowed = { allowPrivate: true };

export const idsOf = (received: readonly Received[]): string[] =>
  received.map(({ headers }) => headers['webhook-id'] ?? '');
export const status = (code: number, headers: Record<string, string> = {}) =>
  new Response('no', { status: code, headers });

/** Opens a store before each test, and stops the senders and closes the store after it. The clock of the senders is simulated. */
export const setUpSender = () => {
  const running: Scheduler[] = [];
  let polls = 0;
  let opened: Store | undefined;
  const scene = {
    nowMs: startMs,
    /** A test may replace it by one on the same database, as after a crash. */
    get store(): Store {
      if (!opened) throw new Error('there is no store outside a test');
      return opened;
    },
    set store(store: Store) {
      opened = store;
    },
  };
  beforeEach(async () => {
    scene.store = await openTestStore();
    scene.nowMs = startMs;
  });
  afterEach(async () => {
    for (const scheduler of running.splice(0)) await scheduler.stop(0);
    await scene.store.close();
  });

  const deliver = ({ store: given = scene.store, ...options }: Partial<SchedulerOptions> = {}): Scheduler => {
    const dataVersion: Store['dataVersion'] = () => {
      polls += 1;
      return given.dataVersion();
    };
    const scheduler = startScheduler({
      store: { ...given, dataVersion },
      post: createPost(allowed),
      log: createLog('silent'),
      clock: { nowMs: () => scene.nowMs },
      random: () => 0,
      pollMs: 20,
      ...options,
    });
    running.push(scheduler);
    return scheduler;
  };

  const add = (receiver: Pick<Receiver, 'url'>, options: Partial<NewWebhook> = {}) =>
    scene.store.webhooks.create({ url: receiver.url, events: plantEventTypes, secret: generateSecret(), ...options });

  const createPlants = async (count: number, first = 1): Promise<void> => {
    for (let id = first; id < first + count; id += 1) await scene.store.plants.create({ id: BigInt(id), name: 'n' });
  };

  const deliveriesOf = (id: string): Promise<Delivery[]> => scene.store.deliveries.list(id, { limit: 1000 });
  const statesOf = async (id: string): Promise<string[]> => (await deliveriesOf(id)).map(stateOf);

  /** The only delivery of a webhook, after this number of attempts. */
  const afterAttempts = async (id: string, attempts: number): Promise<Delivery> => {
    let delivery: Delivery | undefined;
    await until(async () => {
      [delivery] = await deliveriesOf(id);
      return delivery?.attempts.length === attempts;
    });
    if (!delivery) throw new Error('there is no delivery');
    return delivery;
  };

  /** Waits for several polls of the last sender, enough for any due work. */
  const severalTurns = (): Promise<void> => {
    const before = polls;
    return until(() => polls >= before + 6);
  };

  return { scene, running, deliver, add, createPlants, deliveriesOf, statesOf, afterAttempts, severalTurns };
};
