import { join } from 'node:path';
import type { TypeQuestion } from '../measure/abilities/type-check.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { isInFiles } from './shared/files.ts';
import { callGo, judgeByGo } from './shared/go.ts';
import { pascalCase } from './shared/names.ts';

const driver = join(import.meta.dir, 'shared/go/ogen.go');

const generate = async (session: Session): Promise<void> => {
  const { run, file } = session;
  const options = ['--target', 'client', '--package', 'client', '--clean', '--loglevel', 'error'];
  // Only for a document in several files: it would ask another host for a schema with an `$id`.
  if (isInFiles(session)) {
    await Bun.write(file('ogen.yml'), 'parser:\n  allow_remote: true\n');
    options.push('--config', 'ogen.yml');
  }
  const { text, exitCode } = await run(['ogen', ...options, 'openapi.yaml'], { mayFail: true });
  if (exitCode !== 0) throw new Refusal(reasonIn(text));
};

/** The innermost error, or the feature that is not implemented. Other lines are of the stack trace. */
const reasonIn = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith('Feature ') || line.startsWith('  - '))
    .at(-1) ?? text;

const json = 'application/json';

/** The type of a body, as the function that writes or reads it has it. A name that no type has is that of a body without a type. */
const typeIn = (code: string, { schema, operation = '', side, status = 200, contentType = json }: TypeQuestion) => {
  if (schema !== undefined) return pascalCase(schema);
  if (!contentType.endsWith('json')) return;
  const name = pascalCase(operation);
  if (side === 'response') {
    const ofStatus = partOf(
      functionIn(code, `decode${name}Response`),
      new RegExp(`^\\tcase ${status}:`, 'm'),
      /^\tcase /m,
    );
    const ofMediaType = partOf(ofStatus, new RegExp(`case ct == "${contentType}":`), /case ct == /);
    return /var response (\w+)/.exec(ofMediaType)?.[1] ?? 'none';
  }
  const writer = functionIn(code, `encode${name}Request`);
  const [, ...cases] = writer.split(/^\tcase \*?/m);
  const ofMediaType = cases.find((one) => one.includes(`contentType = "${contentType}"`));
  return /^\w+/.exec(ofMediaType ?? '')?.[0] ?? /\treq \*?(\w+),/.exec(writer)?.[1] ?? 'none';
};

const functionIn = (code: string, name: string): string => partOf(code, new RegExp(`^func ${name}\\(`, 'm'), /^\}/m);

/** What follows the start, until the end. */
const partOf = (text: string, start: RegExp, end: RegExp): string => {
  const [, ...rest] = text.split(start);
  return rest.join('').split(end, 1)[0] ?? '';
};

/** The client gets a token where the document requires one. */
const newClientIn = (code: string): string => {
  const sources = [...functionsOfSource(code)].map(
    ([, method, type]) => `
func (source) ${method}(context.Context, client.OperationName) (client.${type}, error) {
	return client.${type}{Token: "token"}, nil
}
`,
  );
  const given = sources.length > 0 ? ', source{}' : '';
  const imports = sources.length > 0 ? '\t"context"\n\n\t"map/client"\n' : '\t"map/client"\n';
  return `package main

import (
${imports})

type source struct{}
${sources.join('')}
func newClient(url string) (*client.Client, error) { return client.NewClient(url${given}) }
`;
};

const functionsOfSource = (code: string) =>
  partOf(code, /^type SecuritySource interface \{/m, /^\}/m).matchAll(
    /^\t(\w+)\(ctx context\.Context, operationName OperationName\) \((\w+), error\)/gm,
  );

/** The generated code, with the part of the driver that depends on it. */
const generateWithDriver = async (session: Session): Promise<string> => {
  await generate(session);
  const code = await textOfFiles(session, 'client/*.go');
  await Bun.write(session.file('new-client.go'), newClientIn(code));
  return code;
};

export const tool: AdapterText = {
  name: 'ogen',
  kind: 'generator',
  language: 'Go',
  registry: 'go',
  package: 'github.com/ogen-go/ogen',
  version: '1.24.0',
  with: { 'github.com/ogen-go/ogen/cmd/ogen': '1.24.0' },
  homepage: 'https://ogen.dev/',
  tracker: 'https://github.com/ogen-go/ogen/issues',
  notes: [
    'It refuses a document with what it does not implement. Its setting `ignore_not_implemented` leaves those operations out instead.',
  ],
  abilities: {
    load: generate,
    typeCheck: async (session, questions) => {
      const code = await generateWithDriver(session);
      return judgeByGo(session, questions, driver, (question) => typeIn(code, question));
    },
    call: async (session, questions) => {
      const code = await generateWithDriver(session);
      const typed = questions.map(({ operationId: operation, contentType, ...question }) => ({
        ...question,
        operationId: operation,
        ...(contentType !== undefined && { contentType }),
        bodyType: typeIn(code, { operation, ...(contentType !== undefined && { contentType }), literal: null }),
      }));
      return callGo(session, typed, driver);
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'client/*.go');
    },
  },
};
