import type { CaseText } from '../../measure/case.ts';
import { producesBody } from '../shared/produced.ts';

export const feature: CaseText = {
  name: 'type arrays with `null`',
  since: '3.1',
  meaning: 'The type of a value may be a list, such as `[string, "null"]`. It replaces `nullable` of OpenAPI 3.0.',
  why: 'A client removes a member with null, and changes it with a text. An absent member stays as it is.',
  use: { document: 'openapi.yaml', pointers: ['/components/schemas/PlantPatch/properties/tag/type'] },
  checks: {
    produce: producesBody('type-arrays', 'a member `tag`, which is a text or null', { tag: null }, { tag: 5 }),
    diff: [
      {
        check: 'a request that may no longer have null',
        pointer: '/components/schemas/Change/properties/tag/type',
        value: 'string',
        isBreaking: true,
      },
    ],
    validate: [
      { check: 'a tag that is a text', isBasic: true, operation: 'setTag', body: { tag: 'green' }, isValid: true },
      { check: 'a tag that is null', operation: 'setTag', body: { tag: null }, isValid: true },
      { check: 'a tag that is a number', operation: 'setTag', body: { tag: 5 }, isValid: false },
      { check: 'a response with null', side: 'response', operation: 'setTag', body: { tag: null }, isValid: true },
      { check: 'a response with a number', side: 'response', operation: 'setTag', body: { tag: 5 }, isValid: false },
    ],
    typeCheck: [
      {
        check: 'the type of a tag that is a text',
        isBasic: true,
        schema: 'Change',
        literal: { tag: 'green' },
        isValid: true,
      },
      { check: 'the type of a tag that is null', schema: 'Change', literal: { tag: null }, isValid: true },
      { check: 'the type of a tag that is a number', schema: 'Change', literal: { tag: 5 }, isValid: false },
    ],
    call: [
      {
        check: 'a call with a text',
        isBasic: true,
        operation: 'setTag',
        arguments: { body: { tag: 'green' } },
        request: { method: 'PUT', target: '/tag', contentType: 'application/json', body: '{"tag":"green"}' },
        response: { body: '{"tag":"green"}' },
      },
      {
        check: 'a call with null',
        operation: 'setTag',
        arguments: { body: { tag: null } },
        request: { method: 'PUT', target: '/tag', contentType: 'application/json', body: '{"tag":null}' },
        response: { body: '{"tag":null}' },
        value: { tag: null },
      },
    ],
    lint: [
      {
        check: 'a type that does not exist in a list',
        level: 'schema',
        pointer: '/components/schemas/Change/properties/tag/type',
        value: ['string', 'nothing'],
      },
    ],
    resolve: [
      {
        check: 'the list of types',
        pointer: '/paths/~1tag/put/requestBody/content/application~1json/schema/properties/tag/type',
        value: ['string', 'null'],
      },
    ],
    sample: [{ check: 'a sample', schema: 'Change' }],
    test: {
      right: ({ body }) => (isTag(body) ? Response.json({ tag: null }) : new Response(null, { status: 400 })),
      broken: [
        {
          check: 'a server that answers a tag with a number',
          server: ({ body }) => (isTag(body) ? Response.json({ tag: 5 }) : new Response(null, { status: 400 })),
        },
      ],
      sends: [
        {
          check: 'a request with null',
          isOneOfMany: true,
          expected: '{"tag":null}',
          request: ({ body }) => /^\{"tag":\s*null\}$/.test(body),
        },
      ],
    },
  },
};

const isTag = (body: string): boolean => {
  try {
    const value = JSON.parse(body);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && (value.tag === undefined || value.tag === null || typeof value.tag === 'string');
  } catch {
    return false;
  }
};
