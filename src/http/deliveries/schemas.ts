import { Type } from '@sinclair/typebox';
import { attemptFailures, attemptsKeptMax, deliveryStates, excerptLengthMax } from '../../domain/delivery.ts';
import { eventIdOf, plantEventTypes } from '../../domain/event.ts';
import { fernCreated, fernDeleted } from '../../domain/fixture.ts';
import { EventId } from '../events/schemas.ts';
import { limitOf } from '../paging.ts';
import { enumeration, instant } from '../schema/kinds.ts';
import { closed, named, query } from '../schema/shape.ts';
import { WebhookPath } from '../webhooks/schemas.ts';

export const Attempt = named(
  'Attempt',
  Type.Object(
    {
      at: instant({ description: 'When it began' }),
      durationMs: Type.Integer({ format: 'int64', description: 'How long it took, in milliseconds', examples: [12] }),
      status: Type.Optional(
        Type.Integer({
          format: 'int32',
          description: 'The status of the answer; absent when there was none',
          examples: [204],
        }),
      ),
      failure: Type.Optional(
        enumeration({
          words: Object.keys(attemptFailures),
          description: `Why there was no answer. ${Object.entries(attemptFailures)
            .map(([name, sentence]) => `\`${name}\`: ${sentence}`)
            .join(' ')}`,
        }),
      ),
      excerpt: Type.Optional(
        Type.String({
          maxLength: excerptLengthMax,
          description: 'How the body of an answer begins that was not a success',
        }),
      ),
    },
    { ...closed, description: 'One try to send a message, and its result.' },
  ),
);

export const Delivery = named(
  'Delivery',
  Type.Object(
    {
      id: { ...EventId, description: 'The `webhook-id` of the message, and the `eventId` of its event' },
      type: enumeration({ words: [...plantEventTypes, 'webhook.test'], description: 'The type of the event' }),
      state: enumeration({
        words: deliveryStates,
        description:
          'Whether it is to be tried, has been answered with 2xx, or was given up. What is pending at a disabled webhook waits until that is enabled.',
      }),
      attempts: Type.Array(Attempt, { maxItems: attemptsKeptMax, description: 'The latest attempts, oldest first' }),
      nextAttemptAt: Type.Optional(
        instant({
          description:
            'When it is tried again; absent when it is settled, and when it is its turn as soon as there is room',
        }),
      ),
    },
    { ...closed, description: 'What was sent, or is to be sent, of an event.' },
  ),
);

export const DeliveryPath = Type.Object({
  ...WebhookPath.properties,
  deliveryId: Type.String({
    description: 'Names the delivery: the `webhook-id` of its message',
    examples: [eventIdOf(fernCreated)],
  }),
});

export const DeliveryListQuery = query({
  limit: limitOf('deliveries'),
  after: Type.Optional(
    Type.String({
      description: 'Only what comes after the delivery with this id, which is older.',
      examples: [eventIdOf(fernDeleted)],
      error: 'The query parameter after must be the id of a delivery.',
    }),
  ),
});
