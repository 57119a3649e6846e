import { hash } from 'node:crypto';
import { time } from '../plants/sample.ts';
import { type Generators, type WebhookRecord, webhookIdLength } from './webhook.ts';

/** The secret is an example of Standard Webhooks. */
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export const webhook: WebhookRecord = {
  id: 'wh_0aB1cD2eF3gH4i',
  url: 'https://receiver.example.com/plants',
  events: ['plant.created', 'plant.updated', 'plant.deleted'],
  createdAt: time('30'),
  secrets: [{ text: secret }],
  position: 5n,
};

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
