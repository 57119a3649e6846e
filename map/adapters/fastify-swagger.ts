import type { AdapterText } from '../measure/adapter.ts';
import { runTypeScript } from './shared/program.ts';

interface Parts {
  readonly members?: string;
  readonly operation?: string;
  readonly document?: string;
}

/** Fastify takes schemas of JSON Schema as they are. */
const program = ({ members = "name: { type: 'string' }", operation = '', document = '' }: Parts): string => `
import swagger from '@fastify/swagger';
import Fastify from 'fastify';

const app = Fastify({ ajv: { customOptions: { strict: false } } });
const info = { title: 'Plants', version: '1' };
await app.register(swagger, { openapi: { openapi: '3.1.0', info, ${document} } });
const body = { type: 'object', properties: { ${members} } };
app.put('/plant', { schema: { ${operation} body, response: { 200: body } } }, async ({ body }) => body);
await app.ready();
console.log(JSON.stringify(app.swagger()));
`;

const webhooks = `webhooks: {
  plantCreated: { post: { summary: 'A plant was created', responses: { 204: { description: 'noted' } } } },
}`;

const security = `security: [{ token: [] }],
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }`;

export const tool: AdapterText = {
  name: '@fastify/swagger',
  kind: 'producer',
  language: 'JavaScript',
  registry: 'npm',
  package: '@fastify/swagger',
  version: '9.9.3',
  with: { fastify: '5.12.8' },
  homepage: 'https://github.com/fastify/fastify-swagger',
  tracker: 'https://github.com/fastify/fastify-swagger/issues',
  abilities: {
    produce: runTypeScript({
      'type-arrays': program({ members: "tag: { type: ['string', 'null'] }" }),
      'exclusive-minimum': program({ members: "leaves: { type: 'integer', exclusiveMinimum: 0 }" }),
      webhooks: program({ document: webhooks }),
      info: program({ document: "info: { ...info, summary: 'All plants' }" }),
      'no-security': program({ operation: 'security: [],', document: security }),
    }),
  },
};
