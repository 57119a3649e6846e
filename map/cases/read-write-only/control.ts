import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const schemaOf = (names: readonly string[]) => ({
  type: 'object',
  required: ['url'],
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

export const control: ControlText = {
  name: 'a schema of the request and one of the response',

  changes: {
    '/components/schemas/NewWebhook': schemaOf(['url', 'secret']),
    '/components/schemas/Webhook': schemaOf(['id', 'url']),
    '/paths/~1webhooks/post/requestBody/content/application~1json/schema/$ref': '#/components/schemas/NewWebhook',
  },
  checks: feature.checks,
};
