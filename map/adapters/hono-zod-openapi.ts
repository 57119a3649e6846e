import type { AdapterText } from '../measure/adapter.ts';
import { runTypeScript } from './shared/program.ts';
import { anyBody, zodBodies } from './shared/zod-bodies.ts';

interface Parts {
  readonly body?: string;
  readonly before?: string;
  readonly operation?: string;
  readonly document?: string;
}

const program = ({ body = anyBody, before = '', operation = '', document = '' }: Parts): string => `
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';

const app = new OpenAPIHono();
const content = { 'application/json': { schema: ${body} } };
${before}
const route = createRoute({
  method: 'put',
  path: '/plant',
  ${operation}
  request: { body: { content, required: true } },
  responses: { 200: { description: 'the plant', content } },
});
app.openapi(route, (context) => context.json(context.req.valid('json'), 200));
const info = { title: 'Plants', version: '1' };
console.log(JSON.stringify(app.getOpenAPI31Document({ openapi: '3.1.0', info, ${document} })));
`;

const webhook = `app.openAPIRegistry.registerWebhook({
  method: 'post',
  path: 'plantCreated',
  summary: 'A plant was created',
  request: { body: { content } },
  responses: { 204: { description: 'noted' } },
});`;

const scheme = `app.openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' });`;

export const tool: AdapterText = {
  name: '@hono/zod-openapi',
  kind: 'producer',
  language: 'TypeScript',
  registry: 'npm',
  package: '@hono/zod-openapi',
  version: '1.6.3',
  with: { hono: '4.13.19', zod: '4.6.7' },
  homepage: 'https://hono.dev/examples/zod-openapi',
  tracker: 'https://github.com/honojs/middleware/issues',
  abilities: {
    produce: runTypeScript({
      ...Object.fromEntries(Object.entries(zodBodies).map(([feature, body]) => [feature, program({ body })])),
      webhooks: program({ before: webhook }),
      info: program({ document: "info: { ...info, summary: 'All plants' }" }),
      'no-security': program({ before: scheme, operation: 'security: [],', document: 'security: [{ token: [] }]' }),
    }),
  },
};
