/** The shapes of webhooks. */
import { type Static, Type } from '@sinclair/typebox';
import { plantEventTypes } from '../domain/event.ts';
import { descriptionLengthMax, disabledReasons, urlLengthMax } from '../domain/webhook.ts';
import { enumeration, instant, keepableText } from './kinds.ts';
import { open } from './schemas.ts';

const url = keepableText({
  format: 'uri',
  maxLength: urlLengthMax,
  description: 'Where to send: https, to a public host, without user name and password',
  examples: ['https://receiver.example.com/plants'],
  error: `/url is required and must be a string of at most ${urlLengthMax} characters.`,
});

const eventsError = `/events must be a list of ${plantEventTypes.join(', ')}, at least one, each at most once.`;

const events = Type.Array(
  enumeration({ words: plantEventTypes, description: 'A type of events', error: eventsError }),
  {
    minItems: 1,
    uniqueItems: true,
    description: 'The types of the events to send',
    examples: [['plant.created', 'plant.deleted']],
    error: eventsError,
  },
);

const description = keepableText({
  maxLength: descriptionLengthMax,
  description: 'What the webhook is for',
  examples: ['the shop window'],
  error: `/description must be a string of at most ${descriptionLengthMax} characters, without U+0000 or lone surrogates.`,
});

export const NewWebhook = Type.Object(
  { url, events: Type.Optional(events), description: Type.Optional(description) },
  { ...open, description: 'Without `events`, every event is sent.' },
);

const webhookMembers = {
  id: Type.String({ description: 'Names the webhook', examples: ['wh_0aB1cD2eF3gH4i'] }),
  url,
  events,
  description: Type.Optional(description),
  createdAt: instant({ description: 'When the webhook was created' }),
  enabled: Type.Boolean({
    description:
      'Whether events are sent to it. A test or a redelivery enables a webhook again; it then goes on where it was.',
    examples: [true],
  }),
  disabledAt: Type.Optional(instant({ description: 'When it was disabled; absent while it is enabled' })),
  disabledReason: Type.Optional(
    enumeration({
      words: disabledReasons,
      description:
        '`gone`: the receiver has answered 410. `failing`: all tries of a delivery, over days, have failed, and no other got through meanwhile.',
    }),
  ),
  failingSince: Type.Optional(
    instant({ description: 'When the first of the failures was that no success has followed; absent otherwise' }),
  ),
};

export const Webhook = Type.Object(webhookMembers, open);

export const WebhookWithSecret = Type.Object(
  {
    ...webhookMembers,
    secret: Type.String({
      description:
        'The key of the signatures, by Standard Webhooks: `whsec_` and base64. Shown in this answer and never again.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  },
  open,
);

export const WebhookPath = Type.Object({
  webhookId: Type.String({ description: 'Names the webhook' }),
});

export type NewWebhookBody = Static<typeof NewWebhook>;
export type WebhookPathParams = Static<typeof WebhookPath>;
