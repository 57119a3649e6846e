import type { CaseText } from '../../measure/case.ts';

const sent = { url: 'https://example.com/', secret: 's' };
const received = { id: 'w', url: 'https://example.com/' };
const request = { side: 'request', operation: 'createWebhook' } as const;
const response = { side: 'response', operation: 'createWebhook' } as const;

export const feature: CaseText = {
  name: '`readOnly` and `writeOnly`',
  since: '3.0',
  meaning:
    'A read-only member is in responses, and a write-only member is in requests. In OpenAPI 3.0, `required` applies only where the member may be.',
  why: 'One schema describes what a client sends and what it gets back: an id comes from the server, and a secret is never shown again.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/components/schemas/NewWebhook/properties/secret/writeOnly'],
    tests: [
      { file: 'tests/webhooks/webhooks.test.ts', test: 'a webhook shows its secret only when it is created' },
      {
        file: 'tests/plants/change-plant.test.ts',
        test: 'a PATCH with the current record changes nothing, and its read-only members are ignored',
      },
      {
        file: 'tests/house/document.test.ts',
        test: 'a member that only the service sets is read-only, and the secret is write-only',
      },
    ],
  },
  specification: {
    url: 'https://spec.openapis.org/oas/v3.0.4.html#fixed-fields-20',
    quotes: [
      'If the property has `readOnly` value `true` and is in the required list, the required will take effect on the response only.',
    ],
  },
  checks: {
    validate: [
      { check: 'a request with the secret', isBasic: true, ...request, body: sent, isValid: true },
      { check: 'a response with the id', isBasic: true, ...response, body: received, isValid: true },
    ],
    typeCheck: [
      { check: 'the type of a request without the id', isBasic: true, ...request, literal: sent, isValid: true },
      {
        check: 'the type of a request with the read-only id',
        ...request,
        literal: { ...sent, id: 'w' },
        isValid: false,
      },
      {
        check: 'the type of a response without the secret',
        isBasic: true,
        ...response,
        literal: received,
        isValid: true,
      },
      {
        check: 'the type of a response with the write-only secret',
        ...response,
        literal: { ...received, secret: 's' },
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
  variants: [
    {
      name: 'required, in OpenAPI 3.0',
      changes: { '/openapi': '3.0.4', '/components/schemas/Webhook/required': ['id', 'url', 'secret'] },
      checks: {
        validate: [
          { check: 'a request without the id', ...request, body: sent, isValid: true, ignored: 'refused' },
          { check: 'a response without the secret', ...response, body: received, isValid: true, ignored: 'refused' },
        ],
        typeCheck: [
          {
            check: 'the type of a request without the id',
            ...request,
            literal: sent,
            isValid: true,
            ignored: 'refused',
          },
          {
            check: 'the type of a response without the secret',
            ...response,
            literal: received,
            isValid: true,
            ignored: 'refused',
          },
        ],
      },
    },
  ],
};
