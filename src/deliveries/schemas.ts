import { eventIdOf, plantEventTypes } from '../events/event.ts';
import { fernCreated, fernDeleted } from '../events/sample.ts';
import { EventId } from '../events/schemas.ts';
import { countParameter, limitOf } from '../http/paging.ts';
import { closed, named, query, t } from '../http/schema.ts';
import { webhook } from '../webhooks/sample.ts';
import { WebhookPath } from '../webhooks/schemas.ts';
import type * as domain from './delivery.ts';
import {
  attemptFailures,
  attemptsKeptMax,
  certificateFaults,
  deliveryStates,
  excerptLengthMax,
  stateOf,
} from './delivery.ts';
import { cursorOf, placeOf } from './place.ts';

const inList = (words: Readonly<Record<string, string>>): string =>
  Object.entries(words)
    .map(([name, text]) => `\`${name}\`: ${text}`)
    .join(' ');

const Attempt = named(
  'Attempt',
  t.Object(
    {
      at: t.Instant({ description: 'Start time of the attempt' }),
      durationMs: t.Integer({ format: 'int64', description: 'Duration in milliseconds' }),
      status: t.Optional(
        t.Integer({
          format: 'int32',
          description: 'Status code of the response; omitted if there was no response',
        }),
      ),
      failure: t.Optional(
        t.Enumeration({
          words: Object.keys(attemptFailures),
          description: `Why there was no response. ${inList(attemptFailures)}`,
        }),
      ),
      certificate: t.Optional(
        t.Enumeration({
          words: Object.keys(certificateFaults),
          description: `What is wrong with the certificate of the receiver; omitted for other failures, and if the service does not know. ${inList(certificateFaults)}`,
        }),
      ),
      excerpt: t.Optional(
        t.String({
          maxLength: excerptLengthMax,
          description: 'Beginning of the body of a response that is not 2xx',
        }),
      ),
      location: t.Optional(
        t.String({
          maxLength: excerptLengthMax,
          description: 'URL of a redirect, or its beginning; redirects are not followed',
        }),
      ),
    },
    { ...closed, description: 'One attempt to send a message, and its result.' },
  ),
);

export const Delivery = named(
  'Delivery',
  t.Object(
    {
      id: { ...EventId, description: 'The `webhook-id` of the message, and the `eventId` of its event' },
      webhookId: t.String({ description: 'Identifier of the webhook', examples: [webhook.id] }),
      type: t.Enumeration({ words: [...plantEventTypes, 'webhook.test'], description: 'The type of the event' }),
      state: t.Enumeration({
        words: deliveryStates,
        description:
          '`pending`: an attempt is due or scheduled. `delivered`: the receiver responded with 2xx. `failed`: all attempts failed, or the receiver responded with 410. Pending deliveries of a disabled webhook wait until the webhook is enabled.',
      }),
      attempts: t.Array(Attempt, { maxItems: attemptsKeptMax, description: 'The latest attempts, oldest first' }),
      nextAttemptAt: t.Optional(
        t.Instant({
          description:
            'Time of the next attempt; omitted if no more attempts are made, and if the next one is made as soon as possible',
        }),
      ),
    },
    { ...closed, description: 'The delivery of one event to one webhook, with its attempts.' },
  ),
);

export const DeliveryPath = t.Object({
  ...WebhookPath.properties,
  deliveryId: t.String({
    description: 'Identifier of the delivery: the `webhook-id` of its message',
    examples: [eventIdOf(fernCreated)],
  }),
});

export const DeliveryListQuery = query({
  limit: limitOf('items'),
  after: t.Optional(
    t.String({
      description: 'Only deliveries after the one with this id: those of older events. If empty, it is ignored.',
      examples: [eventIdOf(fernDeleted)],
      error: 'must be the id of a delivery',
    }),
  ),
});

export const StateQuery = query({
  state: {
    ...t.Enumeration({
      words: deliveryStates,
      description: 'Only deliveries in this state',
      error: `must be one of ${deliveryStates.join(', ')}`,
    }),
    examples: ['pending'],
  },
  limit: limitOf('deliveries'),
  after: t.Optional(
    t.String({
      description: 'Opaque cursor from a `Link` header. If empty, it is ignored.',
      examples: [cursorOf(placeOf({ event: fernDeleted, webhookId: webhook.id }))],
      error: 'must be a cursor',
    }),
  ),
  count: countParameter,
});

/** A delivery for `JSON.stringify`. A requested delivery has no time: it is attempted as soon as the concurrency limit permits. */
export const toDeliveryBody = (delivery: domain.Delivery) => {
  const { webhookId, event, attempts, nextAttemptAt, requestedAt } = delivery;
  return {
    id: eventIdOf(event),
    webhookId,
    type: event.type,
    state: stateOf(delivery),
    attempts,
    nextAttemptAt: requestedAt === undefined ? nextAttemptAt : undefined,
  };
};
