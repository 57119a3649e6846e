import type { AdapterText } from '../measure/adapter.ts';
import { runTypeScript } from './shared/program.ts';
import { anyBody, zodBodies } from './shared/zod-bodies.ts';

interface Parts {
  readonly body?: string;
  readonly operation?: string;
  readonly document?: string;
}

const program = ({ body = anyBody, operation = '', document = '' }: Parts): string => `
import { createDocument } from 'zod-openapi';
import * as z from 'zod';

const content = { 'application/json': { schema: ${body} } };
const put = {
  ${operation}
  requestBody: { content, required: true },
  responses: { 200: { description: 'the plant', content } },
};
const info = { title: 'Plants', version: '1' };
console.log(JSON.stringify(createDocument({ openapi: '3.1.1', info, paths: { '/plant': { put } }, ${document} })));
`;

const webhooks = `webhooks: {
  plantCreated: {
    post: {
      summary: 'A plant was created',
      requestBody: { content },
      responses: { 204: { description: 'noted' } },
    },
  },
}`;

const security = `security: [{ token: [] }],
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }`;

export const tool: AdapterText = {
  name: 'zod-openapi',
  kind: 'producer',
  language: 'TypeScript',
  registry: 'npm',
  package: 'zod-openapi',
  version: '6.0.2',
  with: { zod: '4.6.7' },
  homepage: 'https://github.com/samchungy/zod-openapi',
  tracker: 'https://github.com/samchungy/zod-openapi/issues',
  abilities: {
    produce: runTypeScript({
      ...Object.fromEntries(Object.entries(zodBodies).map(([feature, body]) => [feature, program({ body })])),
      webhooks: program({ document: webhooks }),
      info: program({ document: "info: { ...info, summary: 'All plants' }" }),
      'no-security': program({ operation: 'security: [],', document: security }),
    }),
  },
};
