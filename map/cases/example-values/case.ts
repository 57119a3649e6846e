import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const data = '/paths/~1plant/put/requestBody/content/application~1json/examples/data';
const exact = '/paths/~1plant/put/responses/200/content/application~1json/examples/exact';
const body = { id: 1, name: 'Monstera deliciosa' };

export const feature: CaseText = {
  name: '`dataValue` and `serializedValue` of an example',
  since: '3.2',
  meaning: '`dataValue` is an example as data, which matches the schema. `serializedValue` is exactly what is sent.',
  why: 'A stream, a form or a number beyond 2⁵³ is shown exactly as it is sent.',
  use: {
    document: 'openapi-3.2.json',
    pointers: [
      '/paths/~1events/get/responses/200/content/text~1event-stream/examples/live',
      '/paths/~1plants/post/requestBody/content/application~1json/examples/exact/serializedValue',
      '/paths/~1metrics/get/responses/200/content/text~1plain/examples/lines/serializedValue',
    ],
    tests: [
      {
        file: 'tests/house/openapi-3.2.test.ts',
        test: 'the example with an id beyond 2⁵³ is sent unchanged, and gets the documented response',
      },
      {
        file: 'tests/house/openapi-3.2.test.ts',
        test: 'the example of the live stream is the serialization of its items, which match itemSchema',
      },
    ],
  },
  checks: {
    diff: [
      {
        check: 'another `dataValue`',
        pointer: '/paths/~1plant/put/requestBody/content/application~1json/examples/data/dataValue/name',
        value: 'Ivy',
      },
      {
        check: 'another `serializedValue`',
        pointer: '/paths/~1plant/put/responses/200/content/application~1json/examples/exact/serializedValue',
        value: '{"id":1,"name":"Ivy"}',
      },
    ],
    validate: [{ check: 'a body', isBasic: true, operation: 'setPlant', body, isValid: true }],
    lint: [
      {
        check: '`value` beside `dataValue`',
        level: 'document',
        pointer: `${data}/value`,
        value: body,
        at: [data],
      },
      {
        check: 'a `serializedValue` that is a number',
        level: 'document',
        pointer: `${exact}/serializedValue`,
        value: 5,
      },
      {
        check: 'a `dataValue` that does not match its schema',
        level: 'example',
        pointer: `${data}/dataValue/name`,
        value: 5,
      },
    ],
    resolve: [
      { check: '`dataValue`', pointer: `${data}/dataValue`, value: body },
      {
        check: '`serializedValue`',
        pointer: `${exact}/serializedValue`,
        value: '{"id":9007199254740993,"name":"Monstera adansonii"}',
      },
    ],
    test: {
      // It answers another plant: a tester may learn values from responses.
      right: ({ body: text }) => {
        const { id, name } = membersOf(text) ?? {};
        return Number.isInteger(id) && typeof name === 'string' ? Response.json({ id: 2, name: 'Ficus' }) : refused();
      },
      sends: [
        {
          check: 'a request with `dataValue`',
          expected: JSON.stringify(body),
          request: ({ body: text }) => membersOf(text)?.['name'] === body.name,
        },
      ],
    },
    show: [
      { check: '`dataValue`', text: 'Monstera deliciosa' },
      { check: '`serializedValue`, with its exact id', text: '9007199254740993' },
    ],
    respond: [
      {
        check: 'the answer of the mock',
        method: 'PUT',
        target: '/plant',
        body,
        response: { contentType: 'application/json', body: { id: 9007199254740993n, name: 'Monstera adansonii' } },
      },
    ],
  },
};
