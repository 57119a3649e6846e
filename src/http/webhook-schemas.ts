/** The shapes of webhooks and of what was sent to them. */
import { type Static, Type } from '@sinclair/typebox';
import { attemptFailures, excerptLengthMax } from '../domain/delivery.ts';
import { plantEventTypes } from '../domain/event.ts';
import { descriptionLengthMax, disabledReasons, urlLengthMax } from '../domain/webhook.ts';
import { instant, keepableText, word } from './kinds.ts';
import { limitOf, open } from './schemas.ts';

const url = keepableText({
  format: 'uri',
  maxLength: urlLengthMax,
  description: 'Where to send: https, to a public host, without user name and password',
  examples: ['https://receiver.example.com/plants'],
  error: `/url is required and must be a string of at most ${urlLengthMax} characters.`,
});

const eventsError = `/events must be a list of ${plantEventTypes.join(', ')}, at least one, each at most once.`;

const events = Type.Array(word({ words: plantEventTypes, description: 'A type of events', error: eventsError }), {
  minItems: 1,
  uniqueItems: true,
  description: 'The types of the events to send',
  examples: [['plant.created', 'plant.deleted']],
  error: eventsError,
});

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

const time = (what: string) => instant({ description: what, error: 'It must be a time.' });

const webhookMembers = {
  id: Type.String({ description: 'Names the webhook', examples: ['wh_0aB1cD2eF3gH4i'] }),
  url,
  events,
  description: Type.Optional(description),
  createdAt: time('When the webhook was created'),
  enabled: Type.Boolean({
    description:
      'Whether events are sent to it. A test or a redelivery enables a webhook again; it then goes on where it was.',
    examples: [true],
  }),
  disabledAt: Type.Optional(time('When it was disabled; absent while it is enabled')),
  disabledReason: Type.Optional(
    word({
      words: disabledReasons,
      description:
        '`gone`: the receiver has answered 410. `failing`: all tries of a delivery, over days, have failed, and no other got through meanwhile.',
      error: 'It must be a reason.',
    }),
  ),
  failingSince: Type.Optional(
    time('When the first of the failures was that no success has followed; absent otherwise'),
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

const Attempt = Type.Object(
  {
    at: time('When it began'),
    durationMs: Type.Integer({ format: 'int64', description: 'How long it took, in milliseconds', examples: [12] }),
    status: Type.Optional(
      Type.Integer({
        format: 'int32',
        description: 'The status of the answer; absent when there was none',
        examples: [204],
      }),
    ),
    failure: Type.Optional(
      word({
        words: Object.keys(attemptFailures),
        description: `Why there was no answer. ${Object.entries(attemptFailures)
          .map(([name, sentence]) => `\`${name}\`: ${sentence}`)
          .join(' ')}`,
        error: 'It must be a failure.',
      }),
    ),
    excerpt: Type.Optional(
      Type.String({
        maxLength: excerptLengthMax,
        description: 'How the body of an answer begins that was not a success',
      }),
    ),
  },
  open,
);

export const Delivery = Type.Object(
  {
    id: Type.String({
      description: 'The `webhook-id` of the message, and the `eventId` of what it tells of',
      examples: ['evt_1_Zk3Jm0nTq8yV5bXa'],
    }),
    type: word({
      words: [...plantEventTypes, 'webhook.test'],
      description: 'The type of the event',
      error: 'It must be a type of events.',
    }),
    state: word({
      words: ['pending', 'delivered', 'failed'],
      description: 'Whether it is to be tried, has been answered with 2xx, or was given up',
      error: 'It must be a state.',
    }),
    attempts: Type.Array(Attempt, { description: 'The latest attempts, oldest first' }),
    nextAttemptAt: Type.Optional(
      time('When it is tried again; absent when it is settled, and when it is its turn as soon as there is room'),
    ),
  },
  open,
);

export const WebhookPath = Type.Object({
  webhookId: Type.String({ description: 'Names the webhook' }),
});

export const DeliveryPath = Type.Object({
  webhookId: Type.String({ description: 'Names the webhook' }),
  deliveryId: Type.String({ description: 'Names the delivery: the `webhook-id` of its message' }),
});

export const DeliveryListQuery = Type.Object(
  {
    limit: limitOf('deliveries'),
    after: Type.Optional(
      Type.String({
        description: 'Only what comes after the delivery with this id, which is older.',
        error: 'The query parameter after must be the id of a delivery.',
      }),
    ),
  },
  { additionalProperties: true, error: 'The query does not fit.' },
);

export type NewWebhookBody = Static<typeof NewWebhook>;
export type WebhookPathParams = Static<typeof WebhookPath>;
export type DeliveryPathParams = Static<typeof DeliveryPath>;
export type DeliveryListParams = Static<typeof DeliveryListQuery>;
