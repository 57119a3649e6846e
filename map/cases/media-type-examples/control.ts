import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const [ofRequest] = feature.variants ?? [];
const { right, sends = [] } = ofRequest?.checks.test ?? {};

/** It has one example of the request, and not two. */
export const control: ControlText = {
  name: '`example`',
  changes: {
    ...ofRequest?.changes,
    '/paths/~1plant/get/responses/200/content/application~1json': { schema, example: { name: 'Monstera deliciosa' } },
    '/paths/~1plant/put/requestBody/content/application~1json': { schema, example: { name: 'Ficus' } },
  },
  checks: {
    ...(feature.checks.respond && { respond: feature.checks.respond }),
    ...(right && { test: { right, sends: sends.filter(({ check }) => check.includes('Ficus')) } }),
  },
};
