import type { CaseText } from '../../measure/case.ts';
import { producesValues } from '../shared/produced.ts';

const schema = '/webhooks/plantCreated/post/requestBody/content/application~1json/schema';

export const feature: CaseText = {
  name: '`webhooks`',
  since: '3.1',
  meaning: 'The requests that the service sends to a server of the user are described like its own operations.',
  why: 'Who receives the messages needs their schema as much as who calls the service.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/webhooks'],
    tests: [
      { file: 'tests/house/document.test.ts', test: 'a %s message matches its webhook in the document, and no other' },
      {
        file: 'tests/sender/scheduler.test.ts',
        test: 'every event of the subscribed types is sent with a signature and its exact id',
      },
      {
        file: 'tests/runtime/post.test.ts',
        test: 'the receiver gets a POST with the body, the headers and its name in Host',
      },
      {
        file: 'tests/base/signature.test.ts',
        test: 'every signed message is accepted by an independent verifier, and by the service',
      },
    ],
  },
  checks: {
    produce: producesValues('webhooks', 'a webhook `plantCreated` with the summary "A plant was created"', {
      'the summary of the webhook': ['/webhooks/plantCreated/post/summary', 'A plant was created'],
    }),
    diff: [
      {
        check: 'another type in the message',
        pointer: '/components/schemas/Plant/properties/name/type',
        value: 'integer',
      },
      { check: 'another summary', pointer: '/webhooks/plantCreated/post/summary', value: 'A tree was created' },
    ],
    validate: [
      { check: 'a message', operation: 'onPlantCreated', body: { name: 'Monstera' }, isValid: true },
      { check: 'a message without its member', operation: 'onPlantCreated', body: {}, isValid: false },
    ],
    typeCheck: [
      {
        check: 'the type of a message',
        operation: 'onPlantCreated',
        literal: { name: 'Monstera' },
        isValid: true,
      },
      { check: 'the type of a message without its member', operation: 'onPlantCreated', literal: {}, isValid: false },
    ],
    lint: [
      {
        check: 'a webhook with a wrong `required`',
        level: 'document',
        pointer: '/webhooks/plantCreated/post/requestBody/required',
        value: 'yes',
      },
    ],
    resolve: [{ check: 'the schema of the message', pointer: `${schema}/properties/name/type`, value: 'string' }],
    show: [{ check: 'the summary of the message', text: 'A plant was created' }],
  },
};
