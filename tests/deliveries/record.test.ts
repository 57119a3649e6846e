/** What is written when attempts are recorded, which both engines plan with this rule. */
import { expect, test } from 'bun:test';
import {
  type Attempt,
  type Delivery,
  type DeliveryChange,
  newDelivery,
  request,
} from '../../src/deliveries/delivery.ts';
import { planRecord, webhooksOf } from '../../src/deliveries/record.ts';
import type { Health } from '../../src/webhooks/webhook.ts';

const at = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString();
const good: Attempt = { at: at(2), durationMs: 1, status: 204 };
const bad: Attempt = { at: at(2), durationMs: 1, status: 500 };
const gone: Attempt = { at: at(3), durationMs: 1, status: 410 };

const event = (sequence: bigint) => ({ sequence, type: 'plant.created', timestamp: at(1), id: 1n, name: 'n' }) as const;
const testEvent = { sequence: 7n, number: 1n, type: 'webhook.test', timestamp: at(1) } as const;

const after = (before: Delivery, ...attempts: Attempt[]): DeliveryChange => {
  const { requestedAt: _, nextAttemptAt: __, ...rest } = before;
  return { before, after: { ...rest, attempts, attemptsInRound: attempts.length } };
};
const change = (webhookId: string, sequence: bigint, ...attempts: Attempt[]): DeliveryChange =>
  after(newDelivery(webhookId, event(sequence)), ...attempts);
const deliveriesOf = (...changes: DeliveryChange[]): Delivery[] => changes.map((one) => one.after);

const [first, second, other] = [change('wh_1', 7n, good), change('wh_1', 8n, bad), change('wh_2', 7n, bad)];
const testMessage = after(newDelivery('wh_1', testEvent), good);
const requested = request(newDelivery('wh_1', event(7n)), new Date(at(4)));
const healthy: Health = {};
const failing: Health = { failingSince: at(1) };

interface Case {
  readonly changes: readonly DeliveryChange[];
  readonly requests?: readonly ({ requestedAt?: string | null } | undefined)[];
  readonly healths: Readonly<Record<string, Health>>;
  readonly oldest?: bigint;
  readonly deliveries: readonly Delivery[];
  readonly changed: Readonly<Record<string, Health>>;
}

const cases: Readonly<Record<string, Case>> = {
  'nothing without a change': { changes: [], healths: { wh_1: failing }, deliveries: [], changed: {} },
  'a success of a healthy webhook changes no health': {
    changes: [first],
    healths: { wh_1: healthy },
    deliveries: deliveriesOf(first),
    changed: {},
  },
  'a success ends the failure of a webhook': {
    changes: [first],
    healths: { wh_1: failing },
    deliveries: deliveriesOf(first),
    changed: { wh_1: {} },
  },
  'a later failure keeps the time of the first one': {
    changes: [second],
    healths: { wh_1: failing },
    deliveries: deliveriesOf(second),
    // The round of this delivery has failed, and none has succeeded since its first attempt.
    changed: { wh_1: { failingSince: at(1), disabled: { at: at(2), reason: 'failing' } } },
  },
  'each webhook has its own health, after its changes in order': {
    changes: [second, other, first],
    healths: { wh_1: healthy, wh_2: healthy },
    deliveries: deliveriesOf(second, other, first),
    changed: {
      wh_1: { disabled: { at: at(2), reason: 'failing' } },
      wh_2: { failingSince: at(2), disabled: { at: at(2), reason: 'failing' } },
    },
  },
  '410 disables the webhook': {
    changes: [change('wh_1', 7n, gone)],
    healths: { wh_1: healthy },
    deliveries: deliveriesOf(change('wh_1', 7n, gone)),
    changed: { wh_1: { failingSince: at(3), disabled: { at: at(3), reason: 'gone' } } },
  },
  'nothing is recorded for a webhook without a lease': {
    changes: [first, other],
    healths: { wh_2: healthy },
    deliveries: deliveriesOf(other),
    changed: { wh_2: { failingSince: at(2), disabled: { at: at(2), reason: 'failing' } } },
  },
  'a delivery is written once, as its last change has it': {
    changes: [first, change('wh_1', 7n, good, good)],
    healths: { wh_1: healthy },
    deliveries: deliveriesOf(change('wh_1', 7n, good, good)),
    changed: {},
  },
  'a test message and the event with its sequence are two deliveries': {
    changes: [first, testMessage],
    requests: [undefined, {}],
    healths: { wh_1: healthy },
    deliveries: deliveriesOf(first, testMessage),
    changed: {},
  },
  'a pruned event, and a removed test message, are not restored, and change no health': {
    changes: [second, testMessage, change('wh_1', 9n, good)],
    healths: { wh_1: healthy },
    oldest: 9n,
    deliveries: deliveriesOf(change('wh_1', 9n, good)),
    changed: {},
  },
  'a request that arrived during the attempt is kept, of its delivery only': {
    changes: [second, first],
    requests: [undefined, requested],
    healths: { wh_1: { ...failing, disabled: { at: at(1), reason: 'failing' } } },
    deliveries: [second.after, { ...first.after, ...requested, attempts: [good] }],
    changed: { wh_1: { disabled: { at: at(1), reason: 'failing' } } },
  },
};

test.each(Object.entries(cases))('%s', (_, { changes, requests = [], healths, oldest = 1n, deliveries, changed }) => {
  const plan = planRecord(changes, { requests, healths: new Map(Object.entries(healths)), oldest });
  expect(plan.deliveries).toEqual(deliveries);
  expect(Object.fromEntries(plan.healths)).toEqual(changed);
});

test('a record is about the webhooks of its changes and positions', () => {
  const positions = new Map([
    ['wh_2', 1n],
    ['wh_3', 1n],
  ]);
  expect([...webhooksOf([first, second, other], positions)]).toEqual(['wh_1', 'wh_2', 'wh_3']);
});
