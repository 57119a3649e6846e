/**
 * The data of `serve --demo`. The examples of the document are made from it, so that each one is true in the demo. It does not
 * depend on the current time or on random numbers.
 */
import { hash } from 'node:crypto';
import type { Delivery } from './deliveries/delivery.ts';
import type { PlantEvent, Sequenced, TestMessage } from './events/event.ts';
import {
  type NewPlant,
  type PlantCreatedOrUpdated,
  type PlantDeleted,
  type PlantRecord,
  toNewPlant,
} from './plants/plant.ts';
import { scopes } from './tokens/token.ts';
import { type Generators, type WebhookRecord, webhookIdLength } from './webhooks/webhook.ts';

/** These tokens are public, as their texts show. */
export const demoToken = 'plant_ThisTokenIsPublicUseItForTests0JVZRz';
export const readerToken = 'plant_ThisPublicTokenMayOnlyReadData0NrsjV';

export const demo = { name: 'demo', scopes };
export const reader = { name: 'reader', scopes: ['plants:read'], expiresAt: '2099-12-31T23:59:59.000Z' } as const;

/** A time in the hour of the demo. */
const time = (minute: string): string => `2026-05-01T09:${minute}:00.000Z`;

/** The time of everything that clients write in the demo. */
export const demoTime = time('35');

const times = { createdAt: time('30'), updatedAt: time('30') };

export const monstera = { id: 1n, name: 'Monstera', tag: 'tropical', ...times } satisfies PlantRecord;
export const ficus: PlantRecord = { id: 2n, name: 'Ficus', ...times };
export const moss: PlantRecord = { id: -3n, name: 'Moss', tag: '', ...times };
/** The cursor of the page after it. To encode it would load zlib at each start. */
export const cursorAfterMoss = 'Af_________9WxphtA';

/** It is created, then loses its tag, then is deleted. */
const fern = { id: 4n, name: 'Fern' };

const changed = (
  sequence: bigint,
  type: PlantCreatedOrUpdated['type'],
  minute: string,
  plant: NewPlant,
): Sequenced<PlantCreatedOrUpdated> => ({ sequence, type, timestamp: time(minute), ...toNewPlant(plant) });

export const fernCreated = changed(4n, 'plant.created', '31', { ...fern, tag: 'shade' });
export const fernUpdated = changed(5n, 'plant.updated', '32', fern);
export const fernDeleted: Sequenced<PlantDeleted> = {
  sequence: 6n,
  type: 'plant.deleted',
  timestamp: time('33'),
  id: fern.id,
};

/** The log. The webhook was created after the first three. */
export const mossCreated = changed(3n, 'plant.created', '30', moss);
export const eventsBeforeWebhook: readonly Sequenced<PlantEvent>[] = [
  changed(1n, 'plant.created', '30', monstera),
  changed(2n, 'plant.created', '30', ficus),
  mossCreated,
];
export const eventsOfWebhook: readonly Sequenced<PlantEvent>[] = [fernCreated, fernUpdated, fernDeleted];

/** The test that the first client request creates. */
export const firstTest: Sequenced<TestMessage> = {
  sequence: 6n,
  type: 'webhook.test',
  timestamp: demoTime,
  number: 1n,
};

/** The secret is an example of Standard Webhooks. */
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The example of W3C Trace Context. */
export const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

export const webhook: WebhookRecord = {
  id: 'wh_0aB1cD2eF3gH4i',
  url: 'https://receiver.example.com/plants',
  events: ['plant.created', 'plant.updated', 'plant.deleted'],
  createdAt: time('30'),
  secrets: [{ text: secret }],
  position: 3n,
};

const delivery = (event: Sequenced, attempt: Delivery['attempts'][number]): Delivery => ({
  webhookId: webhook.id,
  event,
  attempts: [attempt],
  attemptsInRound: 1,
});

export const fernCreatedDelivery = delivery(fernCreated, {
  at: '2026-05-01T09:31:00.021Z',
  durationMs: 12,
  status: 204,
});

export const fernUpdatedDelivery: Delivery = {
  ...delivery(fernUpdated, { at: '2026-05-01T09:32:00.018Z', durationMs: 15_000, failure: 'timeout' }),
  nextAttemptAt: '2026-05-01T09:32:20.132Z',
};

/** In the order of the log. */
export const deliveries: readonly Delivery[] = [
  fernCreatedDelivery,
  fernUpdatedDelivery,
  delivery(fernDeleted, { at: '2026-05-01T09:33:00.024Z', durationMs: 9, status: 204 }),
];

/** Makes ids and secrets in a fixed order: the first call of each function returns the same value, and so on. */
export const createDemoGenerators = (): Generators => {
  const nextDigest = (kind: string) => {
    let count = 0;
    return (): Buffer => {
      count += 1;
      return hash('sha256', `${kind} ${count}`, 'buffer');
    };
  };
  const nextOfWebhook = nextDigest('webhook');
  const nextOfSecret = nextDigest('secret');
  const lettersOf = (digest: Buffer): string => digest.toString('base64').replaceAll(/[^0-9A-Za-z]/g, '');
  return {
    webhookId: () => `wh_${lettersOf(nextOfWebhook()).slice(0, webhookIdLength)}`,
    secret: () => `whsec_${nextOfSecret().subarray(0, 24).toString('base64')}`,
  };
};
