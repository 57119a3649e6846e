import type { Call } from '../measure/abilities/call.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { pascalCase } from './shared/names.ts';
import { linkPackages } from './shared/packages.ts';
import { checkLiterals } from './shared/tsc.ts';
import { argumentsOf, callTypeScript } from './shared/typescript-client.ts';

interface Options {
  readonly oas?: object;
  readonly client?: object;
}

const generate = async (session: Session, options: Options = {}): Promise<void> => {
  linkPackages(session);
  await Bun.write(session.file('kubb.config.ts'), configuration(options));
  const { text, exitCode } = await session.run(['kubb', 'generate', '--config', 'kubb.config.ts'], { mayFail: true });
  // The first line that has an error names the plugin and a time.
  if (exitCode !== 0) throw new Refusal(/^\s*✗ (.*)$/m.exec(text)?.[1] ?? text);
};

const configuration = ({ oas = {}, client = {} }: Options): string => `import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  input: { path: './openapi.yaml' },
  output: { path: './api', barrelType: false, format: false, lint: false },
  plugins: [
    pluginOas(${JSON.stringify({ generators: [], ...oas })}),
    pluginTs({ output: { path: 'types.ts', barrelType: false } }),
    pluginClient(${JSON.stringify({ output: { path: 'client.ts', barrelType: false }, ...client })}),
  ],
});
`;

const call =
  (optionsOf: (baseUrl: string) => object, options?: Options): Call =>
  async (session, questions) => {
    await generate(session, options);
    const code = await textOfFiles(session, 'api/client.ts');
    const takesBody = (operationId: string) => new RegExp(`function ${operationId}\\([^)]*\\bdata: `).test(code);
    return callTypeScript(session, questions, {
      imports: "import * as api from './api/client.ts';",
      // A function takes the parameters of the path, then the body, then those of the query and of headers, and then options.
      call: ({ operationId, path = {}, body, query, header, baseUrl }, literal) => {
        const data = takesBody(operationId) ? body : undefined;
        const given = [...Object.values(path), data, query, header, optionsOf(baseUrl)];
        return `await api.${operationId}(${argumentsOf(given, literal)})`;
      },
    });
  };

export const tool: AdapterText = {
  name: 'Kubb',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: '@kubb/cli',
  version: '4.39.3',
  with: {
    '@kubb/core': '4.39.3',
    '@kubb/plugin-client': '4.39.3',
    '@kubb/plugin-oas': '4.39.3',
    '@kubb/plugin-ts': '4.39.3',
    axios: '1.21.1',
  },
  homepage: 'https://kubb.dev/',
  tracker: 'https://github.com/kubb-labs/kubb/issues',
  notes: [
    'Measured with its client of axios, the default. Its client of fetch sends a body of JSON without a Content-Type.',
  ],
  abilities: {
    load: (session) => generate(session),
    typeCheck: async (session, questions) => {
      await generate(session);
      return checkLiterals(session, questions, {
        imports: "import type * as api from './api/types.ts';",
        typeOf: (schema) => `api.${schema}`,
        bodyOf: (operationId, { side, status = 200 }) =>
          side === 'response'
            ? `api.${pascalCase(operationId)}${status}`
            : `api.${pascalCase(operationId)}MutationRequest`,
      });
    },
    call: call((baseURL) => ({ baseURL })),
    // Axios has no page here by which it could resolve a relative URL.
    locate: call(() => ({}), { oas: { serverIndex: 0 }, client: { client: 'fetch' } }),
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'api/*.ts');
    },
  },
};
