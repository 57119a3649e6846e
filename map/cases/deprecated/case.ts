import type { CaseText } from '../../measure/case.ts';

const operation = '/paths/~1plant/put/deprecated';
const member = '/components/schemas/Plant/properties/kind/deprecated';
const mark = { check: 'the mark', text: 'deprecated', isInAnyCase: true };
const body = { name: 'Monstera', kind: 'vine' };

export const feature: CaseText = {
  name: '`deprecated`',
  since: '3.0',
  meaning: 'An operation, a parameter or a member should no longer be used.',
  why: 'A client is warned by its editor or its page before the service takes something away.',
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#operation-object',
    quotes: [
      'Declares this operation to be deprecated. Consumers SHOULD refrain from usage of the declared operation.',
    ],
  },
  checks: {
    call: [
      {
        check: 'a call',
        isBasic: true,
        operation: 'setPlant',
        arguments: { body },
        request: { method: 'PUT', target: '/plant', contentType: 'application/json', body: JSON.stringify(body) },
      },
    ],
    code: [mark],
    diff: [{ check: 'an operation that is deprecated no more', pointer: operation, value: undefined }],
    lint: [{ check: 'a mark that is a text', level: 'document', pointer: operation, value: 'yes' }],
    resolve: [{ check: 'the mark', pointer: operation, value: true }],
    show: [mark],
  },
  variants: [
    {
      name: 'of a member',
      changes: { [operation]: undefined, [member]: true },
      checks: {
        code: [mark],
        resolve: [
          {
            check: 'the mark',
            pointer: '/paths/~1plant/put/requestBody/content/application~1json/schema/properties/kind/deprecated',
            value: true,
          },
        ],
        show: [mark],
      },
    },
  ],
};
