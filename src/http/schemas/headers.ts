/** The shapes of headers: the conditions of requests, which `conditional.ts` reads, and what goes with a message. */
import { Type } from '@sinclair/typebox';
import { toleranceSeconds } from '../../base/signature.ts';
import { conditionPattern } from '../conditional.ts';
import { EventId } from './events.ts';

const condition = (description: string) => Type.Optional(Type.String({ description, pattern: conditionPattern() }));

export const IfMatch = Type.Object({
  'If-Match': condition(
    'Versions of which the plant must have one: entity tags, compared strongly, so that a weak one fits nothing, or `*` for any.',
  ),
});

export const IfNoneMatch = Type.Object({
  'If-None-Match': condition('Versions that the caller knows: entity tags, compared weakly, or `*` for any.'),
});

/** By Standard Webhooks 1.0.0. */
export const MessageHeaders = Type.Object({
  'webhook-id': {
    ...EventId,
    description: 'Names the message; the same over all tries, so that what came twice can be told.',
  },
  'webhook-timestamp': Type.Integer({
    format: 'int64',
    description: `When this try was made, in seconds since 1970. Refuse what is more than ${toleranceSeconds / 60} minutes off.`,
  }),
  'webhook-signature': Type.String({
    pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
    description:
      '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, with the decoded secret as the key; one for each secret in force, separated by spaces.',
  }),
});
