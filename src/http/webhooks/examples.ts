import { createDemoMint, demoTime, secret, webhook } from '../../domain/sample-data.ts';
import type { WebhookRecord } from '../../domain/webhook.ts';
import { type Examples, toExample } from '../schema.ts';
import { toBody } from './schemas.ts';

const { url } = webhook;
const some = { events: ['plant.created', 'plant.deleted'], description: 'the shop window' } as const;

export const newWebhooks: Examples = {
  everything: { summary: 'All events', value: { url } },
  some: { summary: 'Some events, and a description', value: { url, ...some } },
  ownSecret: { summary: 'A secret from the client', value: { url, secret } },
};

const mint = createDemoMint();
/** The webhook in the first example of a creation. */
export const created: WebhookRecord = { ...webhook, id: mint.webhookId(), createdAt: demoTime };
const newSecret = mint.secret();

const toSecretExample = (record: WebhookRecord, secret: string): object => toExample({ ...toBody(record), secret });

export const createdWebhooks: Examples = {
  everything: { summary: 'All events, listed by type', value: toSecretExample(created, newSecret) },
  some: { summary: 'Some events, and a description', value: toSecretExample({ ...created, ...some }, newSecret) },
  ownSecret: { summary: 'The secret from the client', value: toSecretExample(created, secret) },
};

export const oneWebhook: Examples = { one: { summary: 'A webhook for all events', value: toExample(toBody(webhook)) } };

export const webhookList: Examples = {
  some: { summary: 'One webhook for all events', value: [toExample(toBody(webhook))] },
};

export const rotatedWebhooks: Examples = {
  rotated: { summary: 'A new secret', value: toSecretExample(webhook, newSecret) },
};
