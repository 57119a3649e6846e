import type { CaseText } from '../../measure/case.ts';

const body = { name: 'Monstera' };
const wrong = { name: 5 };

export const feature: CaseText = {
  name: 'a path item with `$ref` and operations beside it',
  since: '3.1',
  meaning: 'A path has the operations of a shared path item, and others of its own.',
  why: 'Paths that have most operations in common share them.',
  checks: {
    validate: [
      { check: 'a body beside the reference', operation: 'setPlant', body, isValid: true, ignored: 'refused' },
      { check: 'a wrong body beside the reference', operation: 'setPlant', body: wrong, isValid: false },
      { check: 'a body behind the reference', operation: 'addPlant', body, isValid: true, ignored: 'refused' },
      { check: 'a wrong body behind the reference', operation: 'addPlant', body: wrong, isValid: false },
    ],
    call: [
      {
        check: 'a call beside the reference',
        operation: 'setPlant',
        arguments: { body },
        request: { method: 'PUT', target: '/plant', contentType: 'application/json', body: JSON.stringify(body) },
      },
      {
        check: 'a call behind the reference',
        operation: 'addPlant',
        arguments: { body },
        request: { method: 'POST', target: '/plant', contentType: 'application/json', body: JSON.stringify(body) },
      },
    ],
    lint: [
      {
        check: 'a reference to a path item that does not exist',
        level: 'reference',
        pointer: '/paths/~1plant/$ref',
        value: '#/components/pathItems/Tree',
      },
    ],
    resolve: [
      {
        check: 'the operation beside the reference',
        pointer: '/paths/~1plant/put/summary',
        value: 'Beside the reference',
      },
      {
        check: 'the operation behind the reference',
        pointer: '/paths/~1plant/post/summary',
        value: 'Behind the reference',
      },
    ],
    show: [
      { check: 'the operation beside the reference', text: 'Beside the reference' },
      { check: 'the operation behind the reference', text: 'Behind the reference' },
    ],
  },
};
