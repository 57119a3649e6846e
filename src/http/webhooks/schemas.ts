import { Type } from '@sinclair/typebox';
import { plantEventTypes } from '../../domain/event.ts';
import { webhook } from '../../domain/sample-data.ts';
import { descriptionLengthMax, disabledReasons, urlLengthMax, type WebhookRecord } from '../../domain/webhook.ts';
import { EventType } from '../events/schemas.ts';
import { closedComposition, enumeration, instant, named, open, secretText, storableText } from '../schema.ts';

const url = storableText({
  format: 'uri',
  maxLength: urlLengthMax,
  description: 'URL of the receiver: https, a public host, no user name and no password',
  examples: [webhook.url],
  error: `/url is required and must be a string of at most ${urlLengthMax} characters.`,
});

const eventsError = `/events must be a list of ${plantEventTypes.join(', ')}, at least one, each at most once.`;

const events = Type.Array(
  { ...EventType, error: eventsError },
  {
    minItems: 1,
    uniqueItems: true,
    description: 'Types of the events to send',
    examples: [['plant.created', 'plant.deleted']],
    error: eventsError,
  },
);

const description = storableText({
  maxLength: descriptionLengthMax,
  description: 'Purpose of the webhook',
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
            'Key of the signatures: `whsec_` and 24 to 64 bytes in base64. If absent, the service generates one.',
          writeOnly: true,
          error: '/secret must be whsec_ and 24 to 64 bytes in base64.',
        }),
      ),
    },
    {
      ...open,
      description: 'A webhook to create. Without `events`, all events are sent. Unknown members are ignored.',
    },
  ),
);

export const WebhookTarget = named(
  'WebhookTarget',
  Type.Object(
    { url, events, description: Type.Optional(description) },
    { description: 'The URL, event types and description of a webhook.' },
  ),
);

const time = (description: string) => instant({ description, readOnly: true });

/** Only the service sets these. */
export const WebhookState = named(
  'WebhookState',
  Type.Object(
    {
      id: Type.String({ description: 'Identifier of the webhook', readOnly: true, examples: [webhook.id] }),
      createdAt: time('Time of creation'),
      enabled: Type.Boolean({
        description:
          'Whether messages are sent to the webhook. A test or a redelivery enables a disabled webhook, and sending resumes where it stopped.',
        readOnly: true,
        examples: [true],
      }),
      disabledAt: Type.Optional(time('Time at which the webhook was disabled. Absent while it is enabled.')),
      disabledReason: Type.Optional(
        enumeration({
          words: disabledReasons,
          description:
            '`gone`: the receiver responded with 410. `failing`: all attempts of a delivery failed, and no other attempt succeeded in that time.',
          readOnly: true,
        }),
      ),
      failingSince: Type.Optional(time('Start of the current failure streak. Absent if the last attempt succeeded.')),
    },
    { description: 'The state of a webhook, which the service sets.' },
  ),
);

export const Webhook = named(
  'Webhook',
  Type.Intersect([WebhookTarget, WebhookState], {
    ...closedComposition,
    description: 'A webhook, without its secret.',
  }),
);

export const WebhookWithSecret = named(
  'WebhookWithSecret',
  Type.Intersect(
    [
      WebhookTarget,
      WebhookState,
      Type.Object({
        secret: secretText({ description: 'Key of the signatures. No later response contains it.', readOnly: true }),
      }),
    ],
    { ...closedComposition, description: 'A webhook with its secret.' },
  ),
);

export const WebhookPath = Type.Object({
  webhookId: Type.String({ description: 'Identifier of the webhook', examples: [webhook.id] }),
});

/** A webhook without its secret, for `JSON.stringify`. */
export const toBody = ({ id, url, events, description, createdAt, disabled, failingSince }: WebhookRecord) => ({
  id,
  url,
  events,
  description,
  createdAt,
  enabled: disabled === undefined,
  disabledAt: disabled?.at,
  disabledReason: disabled?.reason,
  failingSince,
});
