import type { CaseText } from '../../measure/case.ts';

const properties = '/paths/~1delivery/get/responses/200/content/application~1json/schema/properties';

export const feature: CaseText = {
  name: '`$ref` with a description beside it, in schemas',
  since: '3.1',
  meaning:
    'A member has the schema of another one, and its own description. In OpenAPI 3.0, what is beside `$ref` is ignored.',
  why: 'The same kind of number means different things in different places.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/components/schemas/Delivery/properties/id', '/components/schemas/Event/properties/eventId'],
    tests: [
      {
        file: 'tests/house/document.test.ts',
        test: 'a reference to a shared schema or parameter has its own description',
      },
      {
        file: 'tests/sender/scheduler.test.ts',
        test: 'every event of the subscribed types is sent with a signature and its exact id',
      },
    ],
  },
  checks: {
    code: [{ check: 'the description beside the reference', text: 'Which delivery' }],
    lint: [
      {
        check: 'a description beside a reference that is a number',
        level: 'schema',
        pointer: '/components/schemas/Delivery/properties/id/description',
        value: 5,
      },
    ],
    resolve: [
      {
        check: 'the description beside the reference',
        pointer: `${properties}/id/description`,
        value: 'Which delivery',
        ignored: 'Any number',
      },
      {
        check: 'the description of the schema, where none is beside the reference',
        isBasic: true,
        pointer: `${properties}/size/description`,
        value: 'Any number',
      },
      { check: 'the type behind the reference', isBasic: true, pointer: `${properties}/id/type`, value: 'integer' },
    ],
    show: [{ check: 'the description beside the reference', text: 'Which delivery' }],
  },
};
