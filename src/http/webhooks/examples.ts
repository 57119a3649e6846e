import { createDemoMint, demoTime, secret, webhook } from '../../domain/fixture.ts';
import type { WebhookRecord } from '../../domain/webhook.ts';
import { type Examples, toExample } from '../example.ts';
import { toBody } from './representation.ts';

const { url } = webhook;
const some = { events: ['plant.created', 'plant.deleted'], description: 'the shop window' } as const;

export const newWebhooks: Examples = {
  everything: { summary: 'Every event', value: { url } },
  some: { summary: 'Some events, and what it is for', value: { url, ...some } },
  ownSecret: { summary: 'A secret that you have chosen', value: { url, secret } },
};

const mint = createDemoMint();
const created: WebhookRecord = { ...webhook, id: mint.webhookId(), createdAt: demoTime };
const newSecret = mint.secret();

const toSecretExample = (record: WebhookRecord, secret: string): object => toExample({ ...toBody(record), secret });

export const createdWebhooks: Examples = {
  everything: { summary: 'Every event, named', value: toSecretExample(created, newSecret) },
  some: { summary: 'Some events, and what it is for', value: toSecretExample({ ...created, ...some }, newSecret) },
  ownSecret: { summary: 'The secret that was given', value: toSecretExample(created, secret) },
};

export const oneWebhook: Examples = { one: { summary: 'A webhook of all events', value: toExample(toBody(webhook)) } };

export const webhookList: Examples = {
  some: { summary: 'One of all events', value: [toExample(toBody(webhook))] },
};

export const rotatedWebhooks: Examples = {
  rotated: { summary: 'A new secret', value: toSecretExample(webhook, newSecret) },
};
