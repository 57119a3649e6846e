import type { CaseText } from '../../measure/case.ts';
import { follow, requestOf } from './server.ts';

const body = { id: 1n, name: 'Monstera' };
const headers = { authorization: 'Bearer token', 'x-request-id': 'one' };

export const feature: CaseText = {
  name: 'a whole document of OpenAPI 3.1',
  since: '3.1',
  meaning:
    'The document of a service, with more than twenty operations, that uses the features of OpenAPI 3.1 together.',
  why: 'A tool may read each feature alone, and not all together.',
  ownDocument: 'openapi/openapi.yaml',
  use: {
    document: 'openapi.yaml',
    pointers: [''],
    tests: [{ file: 'tests/house/document.test.ts', test: 'the document is valid against the official schema' }],
  },
  checks: {
    load: 'feature',
    diff: [{ check: 'another title', pointer: '/info/title', value: 'Tree Store' }],
    validate: [
      { check: 'a plant', operation: 'createPlant', headers, body, isValid: true },
      {
        check: 'a plant with a wrong name',
        operation: 'createPlant',
        headers,
        body: { ...body, name: 5 },
        isValid: false,
      },
    ],
    lint: [{ check: 'a document without a title', level: 'document', pointer: '/info/title', value: undefined }],
    resolve: [{ check: 'the name of an operation', pointer: '/paths/~1plants/post/operationId', value: 'createPlant' }],
    test: {
      right: follow,
      // With a query, a body, two parameters in the path, and a response that is no JSON.
      sends: ['listPlants', 'updatePlant', 'redeliver', 'getMetrics'].map(requestOf),
      broken: [{ check: 'a server with an unknown status', server: () => new Response(null, { status: 418 }) }],
    },
    show: [{ check: 'the title', text: 'Plant Store' }],
  },
};
