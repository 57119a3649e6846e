import { plantEventTypes } from '../events/event.ts';
import { EventType } from '../events/schemas.ts';
import { closedComposition, extensible, named, t } from '../http/schema.ts';
import { secret, webhook } from './sample.ts';
import { descriptionLengthMax, disabledReasons, urlLengthMax, type WebhookRecord } from './webhook.ts';

const url = t.StorableText({
  format: 'uri',
  maxLength: urlLengthMax,
  description: 'URL of the receiver: https, a public host, no user name and no password',
  examples: [webhook.url],
  error: `must be a string of at most ${urlLengthMax} characters`,
});

const events = t.Array(EventType, {
  minItems: 1,
  uniqueItems: true,
  description: 'Types of the events to send',
  examples: [['plant.created', 'plant.deleted']],
  error: `must be a list of ${plantEventTypes.join(', ')}, at least one, each at most once`,
});

const description = t.StorableText({
  maxLength: descriptionLengthMax,
  description: 'Purpose of the webhook',
  examples: ['the shop window'],
  error: `must be a string of at most ${descriptionLengthMax} characters, without U+0000 or lone surrogates`,
});

export const NewWebhook = named(
  'NewWebhook',
  t.Object(
    {
      url,
      events: t.Optional(events),
      description: t.Optional(description),
      secret: t.Optional(
        t.SecretText({
          examples: [secret],
          description:
            'Key of the signatures: `whsec_` and 24 to 64 bytes in base64. If omitted, the service generates one.',
          writeOnly: true,
          error: 'must be whsec_ and 24 to 64 bytes in base64',
        }),
      ),
    },
    {
      ...extensible,
      description: 'A webhook to create. Without `events`, all events are sent. Unknown members are ignored.',
    },
  ),
);

const WebhookTarget = named(
  'WebhookTarget',
  t.Object(
    { url, events, description: t.Optional(description) },
    { description: 'The URL, event types and description of a webhook.' },
  ),
);

const time = (description: string) => t.Instant({ description, readOnly: true });

/** Only the service sets these. */
const WebhookState = named(
  'WebhookState',
  t.Object(
    {
      id: t.String({ description: 'Identifier of the webhook', readOnly: true, examples: [webhook.id] }),
      createdAt: time('Time of creation'),
      enabled: t.Boolean({
        description:
          'Whether messages are sent to the webhook. A test or a redelivery enables a disabled webhook, and sending resumes where it stopped.',
        readOnly: true,
      }),
      disabledAt: t.Optional(time('Time at which the webhook was disabled. Omitted while it is enabled.')),
      disabledReason: t.Optional(
        t.Enumeration({
          words: disabledReasons,
          description:
            '`gone`: the receiver responded with 410. `failing`: all attempts of a delivery failed, and no other attempt succeeded in that time.',
          readOnly: true,
        }),
      ),
      failingSince: t.Optional(time('Start of the current failure streak. Omitted if the last attempt succeeded.')),
    },
    { description: 'The state of a webhook, which the service sets.' },
  ),
);

export const Webhook = named(
  'Webhook',
  t.Intersect([WebhookTarget, WebhookState], {
    ...closedComposition,
    description: 'A webhook, without its secret.',
  }),
);

export const WebhookWithSecret = named(
  'WebhookWithSecret',
  t.Intersect(
    [
      WebhookTarget,
      WebhookState,
      t.Object({
        secret: t.SecretText({
          examples: [secret],
          description: 'Key of the signatures. No later response contains it.',
          readOnly: true,
        }),
      }),
    ],
    { ...closedComposition, description: 'A webhook with its secret.' },
  ),
);

export const WebhookPath = t.Object({
  webhookId: t.String({ description: 'Identifier of the webhook', examples: [webhook.id] }),
});

/** A webhook without its secret, for `JSON.stringify`. */
export const toWebhookBody = ({ id, url, events, description, createdAt, disabled, failingSince }: WebhookRecord) => ({
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
