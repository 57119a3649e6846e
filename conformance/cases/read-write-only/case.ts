import type { CaseText } from '../../map/case.ts';

const sent = { url: 'https://example.com/', secret: 's' };
const received = { id: 'w', url: 'https://example.com/' };

export const feature: CaseText = {
  name: '`readOnly` and `writeOnly`',
  since: '3.0',
  meaning:
    'A read-only member is in responses, and a write-only member is in requests. `required` applies where the member may be.',
  why: 'One schema describes what a client sends and what it gets back: an id comes from the server, and a secret is never shown again.',
  use: { document: 'openapi.yaml', pointers: ['/components/schemas/NewWebhook/properties/secret/writeOnly'] },
  specification: {
    url: 'https://spec.openapis.org/oas/v3.0.4.html#fixed-fields-20',
    quotes: [
      'If the property has `readOnly` value `true` and is in the required list, the required will take effect on the response only.',
    ],
  },
  checks: {
    typeCheck: [
      {
        check: 'the type of a request without the id',
        side: 'request',
        operation: 'createWebhook',
        literal: sent,
        isValid: true,
        ignored: 'refused',
      },
      {
        check: 'the type of a request without the secret',
        isBasic: true,
        side: 'request',
        operation: 'createWebhook',
        literal: { url: '' },
        isValid: false,
      },
      {
        check: 'the type of a response without the secret',
        side: 'response',
        operation: 'createWebhook',
        literal: received,
        isValid: true,
        ignored: 'refused',
      },
      {
        check: 'the type of a response without the id',
        isBasic: true,
        side: 'response',
        operation: 'createWebhook',
        literal: { url: '' },
        isValid: false,
      },
    ],
    call: [
      {
        check: 'a call without the read-only id',
        isBasic: true,
        operation: 'createWebhook',
        arguments: { body: sent },
        request: { method: 'POST', target: '/webhooks', contentType: 'application/json', body: JSON.stringify(sent) },
        response: { body: JSON.stringify(received) },
        value: received,
      },
    ],
    resolve: [
      {
        check: 'the keyword',
        pointer: '/paths/~1webhooks/post/requestBody/content/application~1json/schema/properties/secret/writeOnly',
        value: true,
      },
    ],
  },
};
