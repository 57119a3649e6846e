/** The headers of a message to a webhook, by Standard Webhooks 1.0.0 and W3C Trace Context. */
import { sign, toleranceSeconds } from '../base/signature.ts';
import { eventIdOf, payloadOf, type Sequenced } from '../events/event.ts';
import {
  fernCreated,
  fernDeleted,
  fernUpdated,
  firstTest,
  monsteraPictured,
  monsteraUnpictured,
  traceparent,
} from '../events/sample.ts';
import { EventId } from '../events/schemas.ts';
import { t } from '../http/schema.ts';
import { secret } from './sample.ts';

const secondsOf = ({ timestamp }: Sequenced): number => Date.parse(timestamp) / 1000;

const signatureOf = (event: Sequenced): string =>
  sign([secret], { id: eventIdOf(event), timestamp: secondsOf(event), body: payloadOf(event) });

/** Named as the examples of the bodies, so each signature is valid for the message with the same name. */
const ofEachMessage = <Value>(of: (event: Sequenced) => Value): Record<string, Value> => ({
  created: of(fernCreated),
  updated: of(fernUpdated),
  deleted: of(fernDeleted),
  pictured: of(monsteraPictured),
  unpictured: of(monsteraUnpictured),
  test: of(firstTest),
});

export const MessageHeaders = t.Object({
  'webhook-id': {
    ...EventId,
    description: 'Identifier of the message. It is the same for all attempts, so that receivers can detect duplicates.',
    examples: ofEachMessage(eventIdOf),
  },
  'webhook-timestamp': t.Integer({
    format: 'int64',
    description: `Time of this attempt, in seconds since the Unix epoch. Reject a message whose timestamp differs by more than ${toleranceSeconds / 60} minutes.`,
    examples: ofEachMessage(secondsOf),
  }),
  'webhook-signature': t.String({
    pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
    description:
      '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, with the decoded secret as the key. There is one signature for each valid secret, separated by spaces. The examples are signed with the secret of the example of `NewWebhook`.',
    examples: ofEachMessage(signatureOf),
  }),
  traceparent: t.Optional(
    t.String({
      pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]$',
      description:
        'The trace of the request that caused the event (W3C Trace Context). Omitted if the request had no `traceparent` and was not traced.',
      examples: [traceparent],
    }),
  ),
});
