import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const integer = { type: 'integer' };
const name = { type: 'string' };
const isClosed = { type: 'object', additionalProperties: false };

export const control: ControlText = {
  name: 'a closed schema of the request without the members, and one of the response',
  changes: {
    '/components/schemas/Plant': {
      ...isClosed,
      required: ['name'],
      properties: { name, leaf: { $ref: '#/components/schemas/Leaf' } },
    },
    '/components/schemas/Leaf': { ...isClosed, properties: { length: integer } },
    '/components/schemas/PlantRecord': {
      type: 'object',
      required: ['name'],
      properties: { id: name, name, leaf: { type: 'object', properties: { length: integer, age: integer } } },
    },
    '/paths/~1plant/put/responses/200/content/application~1json/schema/$ref': '#/components/schemas/PlantRecord',
  },
  checks: feature.checks,
};
