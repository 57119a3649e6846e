import type { CaseText } from '../../measure/case.ts';

const body = { url: 'https://example.com/' };

export const feature: CaseText = {
  name: '`callbacks` through `components.pathItems`',
  since: '3.1',
  meaning:
    'An operation describes the requests that it causes, and their description is shared. `components.pathItems` is new in OpenAPI 3.1.',
  why: 'A subscription tells what will be sent to its URL.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/paths/~1webhooks/post/callbacks', '/components/pathItems/Event'],
    tests: [
      {
        file: 'tests/house/document.test.ts',
        test: 'every message matches the callback of a new webhook, which is a shared path item',
      },
      {
        file: 'tests/cli/webhook-command.test.ts',
        test: 'a server sends a change to its webhook immediately, and never logs the secret',
      },
      { file: 'tests/cli/binary.test.ts', test: 'the binary sends a webhook that its own receiver verifies' },
    ],
  },
  checks: {
    diff: [
      {
        check: 'another type in the shared callback',
        pointer: '/components/pathItems/Event/post/requestBody/content/application~1json/schema/properties/name/type',
        value: 'integer',
      },
    ],
    validate: [{ check: 'a subscription', isBasic: true, operation: 'subscribe', body, isValid: true }],
    typeCheck: [
      { check: 'the type of the message', operation: 'onEvent', literal: { name: 'a' }, isValid: true },
      { check: 'the type of a message without its member', operation: 'onEvent', literal: {}, isValid: false },
    ],
    call: [
      {
        check: 'a call of the operation',
        isBasic: true,
        operation: 'subscribe',
        arguments: { body },
        request: {
          method: 'POST',
          target: '/subscriptions',
          contentType: 'application/json',
          body: JSON.stringify(body),
        },
      },
    ],
    lint: [
      {
        check: 'an unknown type in the shared callback',
        level: 'schema',
        pointer: '/components/pathItems/Event/post/requestBody/content/application~1json/schema/type',
        value: 'event',
      },
    ],
    resolve: [
      {
        check: 'the operation of the callback',
        pointer: '/paths/~1subscriptions/post/callbacks/event/{$request.body#~1url}/post/operationId',
        value: 'onEvent',
      },
    ],
    show: [{ check: 'the response of the callback', text: 'taken' }],
  },
};
