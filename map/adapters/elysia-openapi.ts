import type { AdapterText } from '../measure/adapter.ts';
import { runTypeScript } from './shared/program.ts';

interface Parts {
  readonly imports?: string;
  readonly body?: string;
  readonly detail?: string;
  readonly documentation?: string;
  readonly options?: string;
}

const program = ({
  imports = '',
  body = 't.Object({ name: t.String() })',
  detail = '',
  documentation = '',
  options = '',
}: Parts): string => `
import { openapi } from '@elysiajs/openapi';
import { Elysia, t } from 'elysia';
${imports}
const body = ${body};
const info = { title: 'Plants', version: '1' };
const app = new Elysia()
  .use(openapi({ documentation: { info, ${documentation} }, ${options} }))
  .put('/plant', ({ body }) => body, { body, response: body, detail: { ${detail} } });
const response = await app.handle(new Request('http://localhost/openapi/json'));
console.log(await response.text());
process.exit(0);
`;

const webhooks = `webhooks: {
  plantCreated: { post: { summary: 'A plant was created', responses: { 204: { description: 'noted' } } } },
}`;

const security = `security: [{ token: [] }],
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }`;

export const tool: AdapterText = {
  name: '@elysiajs/openapi',
  kind: 'producer',
  language: 'TypeScript',
  registry: 'npm',
  package: '@elysiajs/openapi',
  version: '1.4.16',
  with: { elysia: '1.4.30', zod: '4.6.7' },
  homepage: 'https://elysiajs.com/plugins/openapi',
  tracker: 'https://github.com/elysiajs/elysia-openapi/issues',
  abilities: {
    produce: runTypeScript({
      'type-arrays': program({ body: 't.Object({ tag: t.Nullable(t.String()) })' }),
      // Its own tuple has a list in `items`, as JSON Schema had it before 2020-12.
      'prefix-items': program({
        imports: "import { z } from 'zod';\n",
        body: 'z.object({ spot: z.tuple([z.int(), z.string()]) })',
        options: 'mapJsonSchema: { zod: z.toJSONSchema }',
      }),
      'exclusive-minimum': program({ body: 't.Object({ leaves: t.Integer({ exclusiveMinimum: 0 }) })' }),
      webhooks: program({ documentation: webhooks }),
      info: program({ documentation: "info: { ...info, summary: 'All plants' }" }),
      'no-security': program({ detail: 'security: []', documentation: security }),
    }),
  },
};
