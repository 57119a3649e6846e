import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { CallQuestion } from '../measure/abilities/call.ts';
import type { TypeQuestion } from '../measure/abilities/type-check.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { findOperation, valueAt } from '../measure/operation.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { urlOfDocument } from './shared/openapi-generator.ts';
import { checkLiterals } from './shared/tsc.ts';
import { argumentsOf, callTypeScript } from './shared/typescript-client.ts';

const generate = async ({ run, file, folder }: Session, input = 'openapi.yaml'): Promise<void> => {
  const command = ['swagger-codegen-cli', 'generate', '-i', input, '-l', 'typescript-axios', '-o', 'client'];
  const { text } = await run(command, { mayFail: true });
  // It ends with 0 where it has generated nothing.
  if (!existsSync(file('client/index.ts'))) throw new Refusal(exceptionIn(text) ?? text, 'nothing generated');
  // The generated code imports Axios, which is no package of this registry.
  symlinkSync(join(import.meta.dir, '../node_modules'), file('node_modules'));
  // Its own `tsconfig.json` is not strict. The escape tells this line from a comment for our own compiler.
  for (const path of new Bun.Glob('client/apis/*.ts').scanSync(folder))
    await Bun.write(file(path), `// @ts\x2dnocheck\n${await Bun.file(file(path)).text()}`);
};

/** The exception with its causes, on one line and without the stack. */
const exceptionIn = (text: string): string | undefined =>
  [...text.matchAll(/^(?:Exception in|Caused by:) [\s\S]*?(?=\n\s+(?:at|\.\.\.) |$)/gm)]
    .map(([words]) => words.replaceAll(/\s+/g, ' '))
    .join(' ') || undefined;

const imports = "import * as api from './client/index.ts';";

/** The member with a bigint whose type is `any`, which is no type that has bigints. */
const untypedBigint = (code: string, question: TypeQuestion | undefined): string | undefined => {
  const { literal } = question ?? {};
  const members = typeof literal === 'object' && literal !== null ? Object.entries(literal) : [];
  const names = members.flatMap(([name, value]) => (typeof value === 'bigint' ? [name] : []));
  return names.map((name) => new RegExp(`\\b${name}\\??: any;`).exec(code)?.[0]).find((line) => line !== undefined);
};

/** The members of a form, which are arguments. */
const formOf = ({ document }: Session, operationId: string, body: unknown): unknown[] | undefined => {
  const form = `${findOperation(document, operationId).pointer}/requestBody/content/multipart~1form-data`;
  return valueAt(document, form) !== undefined && typeof body === 'object' && body !== null
    ? Object.values(body)
    : undefined;
};

const call = (
  session: Session,
  questions: readonly CallQuestion[],
  configurationOf: (baseUrl: string) => object = () => ({}),
) =>
  callTypeScript(session, questions, {
    imports,
    // A method takes the body, or the members of a form, and then the parameters of the path, and then those of the query.
    call: ({ operationId, path = {}, query = {}, header = {}, body, baseUrl }, literal) => {
      const form = formOf(session, operationId, body);
      const values = [...(form ?? [body]), ...Object.values(path), ...Object.values(query), ...Object.values(header)];
      const made = `new api.DefaultApi(new api.Configuration(${literal(configurationOf(baseUrl))}))`;
      const method = form ? `${operationId}Form` : operationId;
      return `(await ${made}.${method}(${argumentsOf(values, literal)})).data`;
    },
  });

export const tool: AdapterText = {
  name: 'Swagger Codegen (typescript-axios)',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'maven',
  package: 'io.swagger.codegen.v3:swagger-codegen-cli',
  version: '3.0.61',
  homepage: 'https://github.com/swagger-api/swagger-codegen',
  tracker: 'https://github.com/swagger-api/swagger-codegen/issues',
  abilities: {
    load: generate,
    typeCheck: async (session, questions) => {
      await generate(session);
      const code = await textOfFiles(session, 'client/models/*.ts');
      const answers = await checkLiterals(session, questions, {
        imports,
        // A schema with the name of a global, such as `Error`, has another name.
        typeOf: (schema) => (code.includes(`interface Model${schema} `) ? `api.Model${schema}` : `api.${schema}`),
        bodyOf: (operationId, { side }) => {
          const method = `api.DefaultApi['${operationId}']`;
          return side === 'response' ? `Awaited<ReturnType<${method}>>['data']` : `Parameters<${method}>[0]`;
        },
      });
      return answers.map((answer, index) => {
        const line = untypedBigint(code, questions[index]);
        return line === undefined ? answer : { isAccepted: false, isMissing: true, line };
      });
    },
    call: async (session, questions) => {
      await generate(session);
      return call(session, questions, (basePath) => ({ basePath }));
    },
    locate: async (session, questions) => {
      await generate(session, urlOfDocument(questions));
      return call(session, questions);
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'client/{apis,models}/*.ts');
    },
  },
};
