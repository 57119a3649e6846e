import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const body = { name: 'Monstera' };
const schema = '/paths/~1plant/put/requestBody/content/application~1json/schema';

export const feature: CaseText = {
  name: '`$self` of a document',
  since: '3.2',
  meaning:
    'The document says its own URI. A reference with that URI leads to the document itself, wherever it was read from.',
  why: 'References between documents stay right when the documents move to another server or into a file.',
  specification: {
    url: 'https://spec.openapis.org/oas/v3.2.0.html#openapi-object',
    quotes: [
      'The `$self` field provides the self-assigned URI of this document, which also serves as its base URI in accordance with RFC3986 Section 5.1.1.',
      'Implementations MUST support identifying the targets of API description URIs using the URI defined by this field when it is present.',
    ],
  },
  checks: {
    validate: [
      { check: 'a body', isBasic: true, operation: 'setPlant', body, isValid: true },
      { check: 'a wrong body', operation: 'setPlant', body: { name: 5 }, isValid: false },
    ],
    typeCheck: [
      { check: 'the type of a body', operation: 'setPlant', literal: body, isValid: true },
      { check: 'the type of a wrong body', operation: 'setPlant', literal: { name: 5 }, isValid: false },
    ],
    call: [
      {
        check: 'a call',
        operation: 'setPlant',
        arguments: { body },
        request: { method: 'PUT', target: '/plant', contentType: 'application/json', body: JSON.stringify(body) },
      },
    ],
    lint: [
      { check: 'a URI that is a number', level: 'document', pointer: '/$self', value: 5 },
      {
        check: 'a schema that the document does not have',
        level: 'reference',
        pointer: `${schema}/$ref`,
        value: 'https://plants.example/openapi#/components/schemas/Nothing',
      },
    ],
    resolve: [
      { check: 'the URI of the document', pointer: '/$self', value: 'https://plants.example/openapi' },
      { check: 'the schema of the body', pointer: `${schema}/properties/name/type`, value: 'string' },
    ],
    test: {
      right: ({ body: text }) =>
        typeof membersOf(text)?.['name'] === 'string' ? new Response(null, { status: 204 }) : refused(),
    },
  },
};
