import { Type } from '@sinclair/typebox';
import { plantEventTypes } from '../../domain/event.ts';
import { webhook } from '../../domain/fixture.ts';
import { descriptionLengthMax, disabledReasons, urlLengthMax } from '../../domain/webhook.ts';
import { EventType } from '../events/schemas.ts';
import { enumeration, instant, keepableText, secretText } from '../schema/kinds.ts';
import { closedOver, named, open } from '../schema/shape.ts';

const url = keepableText({
  format: 'uri',
  maxLength: urlLengthMax,
  description: 'Where to send: https, to a public host, without user name and password',
  examples: [webhook.url],
  error: `/url is required and must be a string of at most ${urlLengthMax} characters.`,
});

const eventsError = `/events must be a list of ${plantEventTypes.join(', ')}, at least one, each at most once.`;

const events = Type.Array(
  { ...EventType, error: eventsError },
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

export const NewWebhook = named(
  'NewWebhook',
  Type.Object(
    {
      url,
      events: Type.Optional(events),
      description: Type.Optional(description),
      secret: Type.Optional(
        secretText({
          description:
            'The key of the signatures, if you would rather choose it: `whsec_` and 24 to 64 bytes in base64',
          writeOnly: true,
          error: '/secret must be whsec_ and 24 to 64 bytes in base64.',
        }),
      ),
    },
    { ...open, description: 'Without `events`, every event is sent; without `secret`, one is made.' },
  ),
);

export const WebhookTarget = named(
  'WebhookTarget',
  Type.Object({ url, events, description: Type.Optional(description) }, { description: 'Where events are sent.' }),
);

const time = (description: string) => instant({ description, readOnly: true });

/** Only the service sets these. */
export const WebhookState = named(
  'WebhookState',
  Type.Object(
    {
      id: Type.String({ description: 'Names the webhook', readOnly: true, examples: [webhook.id] }),
      createdAt: time('When the webhook was created'),
      enabled: Type.Boolean({
        description:
          'Whether events are sent to it. A test or a redelivery enables a webhook again; it then goes on where it was.',
        readOnly: true,
        examples: [true],
      }),
      disabledAt: Type.Optional(time('When it was disabled; absent while it is enabled')),
      disabledReason: Type.Optional(
        enumeration({
          words: disabledReasons,
          description:
            '`gone`: the receiver has answered 410. `failing`: all tries of a delivery, over days, have failed, and no other got through meanwhile.',
          readOnly: true,
        }),
      ),
      failingSince: Type.Optional(
        time('When the first of the failures was that no success has followed; absent otherwise'),
      ),
    },
    { description: 'How sending goes.' },
  ),
);

export const Webhook = named(
  'Webhook',
  Type.Intersect([WebhookTarget, WebhookState], { ...closedOver, description: 'A webhook, without its secret.' }),
);

export const WebhookWithSecret = named(
  'WebhookWithSecret',
  Type.Intersect(
    [
      WebhookTarget,
      WebhookState,
      Type.Object({
        secret: secretText({
          description: 'The key of the signatures. Shown in this answer and never again.',
          readOnly: true,
        }),
      }),
    ],
    { ...closedOver, description: 'A webhook, and its secret this once.' },
  ),
);

export const WebhookPath = Type.Object({
  webhookId: Type.String({ description: 'Names the webhook', examples: [webhook.id] }),
});
