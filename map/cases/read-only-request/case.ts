import type { CaseText } from '../../measure/case.ts';

const sent = { name: 'Monstera', leaf: { length: 5 } };
const received = { id: 'm', name: 'Monstera', leaf: { length: 5, age: 2 } };
const request = { operation: 'setPlant', side: 'request' } as const;

export const feature: CaseText = {
  name: 'a request with a `readOnly` member',
  since: '3.0',
  meaning:
    'Only the service sets a read-only member. A request should not have it: a service ignores or refuses what a client sends, and so does a check of the request.',
  why: 'A client that sends an id back learns at once that it changes nothing, and no id of a client reaches the store.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/components/schemas/PlantRecord/allOf/1/properties/createdAt/readOnly'],
    tests: [
      {
        file: 'tests/plants/change-plant.test.ts',
        test: 'a PATCH with the current record changes nothing, and its read-only members are ignored',
      },
    ],
  },
  specification: {
    url: 'https://spec.openapis.org/oas/v3.0.4.html#fixed-fields-20',
    quotes: ['This means that it MAY be sent as part of a response but SHOULD NOT be sent as part of the request.'],
  },
  checks: {
    validate: [
      { check: 'a request without the read-only members', isBasic: true, ...request, body: sent, isValid: true },
      { check: 'a request with the read-only id', ...request, body: { ...sent, id: 'm' }, isValid: false },
      {
        check: 'a request with a read-only member of a member',
        ...request,
        body: { ...sent, leaf: received.leaf },
        isValid: false,
      },
      {
        check: 'a response with the read-only members',
        isBasic: true,
        operation: 'setPlant',
        side: 'response',
        body: received,
        isValid: true,
      },
    ],
  },
};
