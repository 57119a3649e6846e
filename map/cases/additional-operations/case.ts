import type { CaseText } from '../../measure/case.ts';

const body = { name: 'Monstera' };
const wrong = { name: 5 };

export const feature: CaseText = {
  name: '`query` and `additionalOperations`',
  since: '3.2',
  meaning: 'A path has an operation for QUERY, and operations for any other method.',
  why: 'A search with a body is neither GET nor POST.',
  checks: {
    validate: [
      { check: 'a body of QUERY', operation: 'findPlants', body, isValid: true, ignored: 'refused' },
      { check: 'a wrong body of QUERY', operation: 'findPlants', body: wrong, isValid: false },
      { check: 'a body of COPY', operation: 'copyPlant', body, isValid: true, ignored: 'refused' },
      { check: 'a wrong body of COPY', operation: 'copyPlant', body: wrong, isValid: false },
    ],
    call: [
      {
        check: 'a call with QUERY',
        operation: 'findPlants',
        arguments: { body },
        request: { method: 'QUERY', target: '/plant', contentType: 'application/json', body: JSON.stringify(body) },
      },
      {
        check: 'a call with COPY',
        operation: 'copyPlant',
        arguments: { body },
        request: { method: 'COPY', target: '/plant', contentType: 'application/json', body: JSON.stringify(body) },
      },
    ],
    lint: [
      {
        check: 'a summary of QUERY that is a number',
        level: 'document',
        pointer: '/paths/~1plant/query/summary',
        value: 5,
      },
      {
        check: 'a summary of COPY that is a number',
        level: 'document',
        pointer: '/paths/~1plant/additionalOperations/COPY/summary',
        value: 5,
      },
    ],
    resolve: [
      { check: 'the summary of QUERY', pointer: '/paths/~1plant/query/summary', value: 'Finds plants by a body' },
      {
        check: 'the summary of COPY',
        pointer: '/paths/~1plant/additionalOperations/COPY/summary',
        value: 'Copies a plant',
      },
    ],
    show: [
      { check: 'the summary of QUERY', text: 'Finds plants by a body' },
      { check: 'the summary of COPY', text: 'Copies a plant' },
    ],
  },
};
