import type { AdapterText } from '../measure/adapter.ts';
import { runTypeScript } from './shared/program.ts';
import { anyBody, zodBodies } from './shared/zod-bodies.ts';

interface Parts {
  readonly body?: string;
  readonly operation?: string;
  readonly document?: string;
}

const program = ({ body = anyBody, operation = '', document = '' }: Parts): string => `
import { Hono } from 'hono';
import { describeRoute, generateSpecs, resolver, validator } from 'hono-openapi';
import { z } from 'zod';

const body = ${body};
const content = { 'application/json': { schema: resolver(body) } };
const described = describeRoute({ ${operation} responses: { 200: { description: 'the plant', content } } });
const app = new Hono().put('/plant', described, validator('json', body), (context) =>
  context.json(context.req.valid('json')),
);
const info = { title: 'Plants', version: '1' };
console.log(JSON.stringify(await generateSpecs(app, { documentation: { openapi: '3.1.0', info, ${document} } })));
`;

const webhooks = `webhooks: {
  plantCreated: { post: { summary: 'A plant was created', responses: { 204: { description: 'noted' } } } },
}`;

const security = `security: [{ token: [] }],
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }`;

export const tool: AdapterText = {
  name: 'hono-openapi',
  kind: 'producer',
  language: 'TypeScript',
  registry: 'npm',
  package: 'hono-openapi',
  version: '1.3.3',
  with: {
    hono: '4.13.19',
    zod: '4.6.7',
    '@hono/standard-validator': '0.4.0',
    '@standard-community/standard-json': '0.3.6',
    '@standard-community/standard-openapi': '0.2.10',
    'openapi-types': '12.1.3',
  },
  homepage: 'https://honohub.dev/docs/openapi',
  tracker: 'https://github.com/rhinobase/hono-openapi/issues',
  abilities: {
    produce: runTypeScript({
      ...Object.fromEntries(Object.entries(zodBodies).map(([feature, body]) => [feature, program({ body })])),
      webhooks: program({ document: webhooks }),
      info: program({ document: "info: { ...info, summary: 'All plants' }" }),
      'no-security': program({ operation: 'security: [],', document: security }),
    }),
  },
};
