import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const body = { id: 2, name: 'Monstera adansonii' };

export const control: ControlText = {
  name: '`value`',
  changes: {
    '/paths/~1plant/put/requestBody/content/application~1json/examples/data': {
      value: { id: 1, name: 'Monstera deliciosa' },
    },
    '/paths/~1plant/put/responses/200/content/application~1json/examples/exact': { value: body },
  },
  checks: {
    ...feature.checks,
    respond: (feature.checks.respond ?? []).map((one) => ({ ...one, response: { ...one.response, body } })),
  },
};
