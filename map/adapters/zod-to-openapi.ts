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
import { extendZodWithOpenApi, OpenApiGeneratorV31, OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

extendZodWithOpenApi(z);
const registry = new OpenAPIRegistry();
const content = { 'application/json': { schema: ${body} } };
${before}
registry.registerPath({
  method: 'put',
  path: '/plant',
  ${operation}
  request: { body: { content, required: true } },
  responses: { 200: { description: 'the plant', content } },
});
const info = { title: 'Plants', version: '1' };
const generator = new OpenApiGeneratorV31(registry.definitions);
console.log(JSON.stringify(generator.generateDocument({ openapi: '3.1.0', info, ${document} })));
`;

const webhook = `registry.registerWebhook({
  method: 'post',
  path: 'plantCreated',
  summary: 'A plant was created',
  request: { body: { content } },
  responses: { 204: { description: 'noted' } },
});`;

const scheme = `registry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' });`;

export const tool: AdapterText = {
  name: 'zod-to-openapi',
  kind: 'producer',
  language: 'TypeScript',
  registry: 'npm',
  package: '@asteasolutions/zod-to-openapi',
  version: '9.1.0',
  with: { zod: '4.6.7' },
  homepage: 'https://github.com/asteasolutions/zod-to-openapi',
  tracker: 'https://github.com/asteasolutions/zod-to-openapi/issues',
  abilities: {
    produce: runTypeScript({
      ...Object.fromEntries(Object.entries(zodBodies).map(([feature, body]) => [feature, program({ body })])),
      webhooks: program({ before: webhook }),
      info: program({ document: "info: { ...info, summary: 'All plants' }" }),
      'no-security': program({ before: scheme, operation: 'security: [],', document: 'security: [{ token: [] }]' }),
    }),
  },
};
