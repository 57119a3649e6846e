import { join } from 'node:path';
import type { CallQuestion } from '../measure/abilities/call.ts';
import type { TypeQuestion } from '../measure/abilities/type-check.ts';
import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { callGo, judgeByGo } from './shared/go.ts';
import { pascalCase } from './shared/names.ts';
import { makeOnce } from './shared/once.ts';
import { generateWith, openapiGenerator, urlOfDocument } from './shared/openapi-generator.ts';

const driver = join(import.meta.dir, 'shared/go/openapi-generator.go');
/** The generated code is a package of the driver's module. */
const options = ['-p', 'packageName=client,withGoMod=false'];

const generate = (session: Session) =>
  makeOnce(session, 'client', options.join(' '), () => generateWith(session, 'go', options));

/** The module has the only package that the generated code imports. */
const call = async (session: Session, questions: readonly CallQuestion[]) => {
  await writeModule(session);
  return callGo(session, questions, driver);
};

const writeModule = async ({ file }: Session): Promise<void> => {
  await Bun.write(file('go.mod'), 'module map\n\ngo 1.23\n\nrequire gopkg.in/validator.v2 v2.0.1\n');
};

/** The type of a body as the method of the operation has it. A name that no type has is that of an operation that is not generated. */
const typeIn = (code: string, { schema, operation = '', side }: TypeQuestion): string => {
  if (schema !== undefined) return schema;
  const request = `func \\(r Api${pascalCase(operation)}Request\\)`;
  const pattern = side === 'response' ? `${request} Execute\\(\\) \\(\\*(\\w+),` : `${request} \\w+\\(\\w+ (\\w+)\\)`;
  return new RegExp(pattern).exec(code)?.[1] ?? 'none';
};

export const tool: AdapterText = {
  ...openapiGenerator,
  name: 'OpenAPI Generator (go)',
  language: 'Go',
  needs: ['java', 'go'],
  abilities: {
    load: generate,
    typeCheck: async (session, questions) => {
      await generate(session);
      await writeModule(session);
      const code = await textOfFiles(session, 'client/api_*.go');
      return judgeByGo(session, questions, driver, (question) => typeIn(code, question));
    },
    call: async (session, questions) => {
      await generate(session);
      return call(session, questions);
    },
    locate: async (session, questions) => {
      await generateWith(session, 'go', options, urlOfDocument(questions));
      return call(
        session,
        questions.map((question) => ({ ...question, baseUrl: '' })),
      );
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'client/*.go');
    },
  },
};
