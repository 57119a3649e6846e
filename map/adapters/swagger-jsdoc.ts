import type { AdapterText } from '../measure/adapter.ts';
import { runTypeScript } from './shared/program.ts';

interface Parts {
  readonly member?: string;
  readonly operation?: string;
  readonly definition?: string;
}

/** The comment is the path item in YAML. */
const program = ({ member = 'name: { type: string }', operation = '', definition = '' }: Parts): string => `
import swaggerJsdoc from 'swagger-jsdoc';

/**
 * @openapi
 * /plant:
 *   put:${operation}
 *     requestBody:
 *       required: true
 *       content:
 *         application/json:
 *           schema: { $ref: '#/components/schemas/Plant' }
 *     responses:
 *       200:
 *         description: the plant
 *         content:
 *           application/json:
 *             schema: { $ref: '#/components/schemas/Plant' }
 * components:
 *   schemas:
 *     Plant:
 *       type: object
 *       properties:
 *         ${member}
 */
const info = { title: 'Plants', version: '1' };
const document = swaggerJsdoc({ definition: { openapi: '3.1.0', info, ${definition} }, apis: ['./service.ts'] });
console.log(JSON.stringify(document));
`;

const webhooks = `webhooks: {
  plantCreated: { post: { summary: 'A plant was created', responses: { 204: { description: 'noted' } } } },
}`;

const security = `security: [{ token: [] }],
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }`;

export const tool: AdapterText = {
  name: 'swagger-jsdoc',
  kind: 'producer',
  language: 'JavaScript',
  registry: 'npm',
  package: 'swagger-jsdoc',
  version: '6.3.0',
  homepage: 'https://github.com/Surnet/swagger-jsdoc',
  tracker: 'https://github.com/Surnet/swagger-jsdoc/issues',
  abilities: {
    produce: runTypeScript({
      'type-arrays': program({ member: "tag: { type: [string, 'null'] }" }),
      'prefix-items': program({ member: 'spot: { type: array, prefixItems: [{ type: integer }, { type: string }] }' }),
      'exclusive-minimum': program({ member: 'leaves: { type: integer, exclusiveMinimum: 0 }' }),
      webhooks: program({ definition: webhooks }),
      info: program({ definition: "info: { ...info, summary: 'All plants' }" }),
      'no-security': program({ operation: '\n *     security: []', definition: security }),
    }),
  },
};
