import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const operationOf = (operationId: string, summary: string) => ({
  operationId,
  summary,
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Wish' } } },
  },
  responses: { 204: { description: 'done' }, 400: { description: 'refused' } },
});

const methods: Readonly<Record<string, string>> = { QUERY: 'POST', COPY: 'PUT' };

export const control: ControlText = {
  name: 'POST and PUT',
  changes: {
    '/paths/~1plant': {
      post: operationOf('findPlants', 'Finds plants by a body'),
      put: operationOf('copyPlant', 'Copies a plant'),
    },
  },
  checks: {
    ...feature.checks,
    call: (feature.checks.call ?? []).map((one) => ({
      ...one,
      request: { ...one.request, method: methods[one.request?.method ?? ''] ?? '' },
    })),
  },
};
