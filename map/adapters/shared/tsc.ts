/** The compiler of TypeScript, for the types of generators. */
import { join } from 'node:path';
import type { TypeQuestion } from '../../measure/abilities/type-check.ts';
import type { Judgement } from '../../measure/abilities/validate.ts';
import { Refusal, type Session } from '../../measure/session.ts';
import { countInPath } from './names.ts';
import { linkPackages } from './packages.ts';

export interface TypesOf {
  /** Imports of the generated code in the folder of the session. */
  readonly imports: string;
  /** The type that a user takes for a schema of the components. */
  readonly typeOf?: (schema: string, question: TypeQuestion) => string | undefined;
  /** The type that a user takes for a body of an operation. */
  readonly bodyOf?: (operationId: string, question: TypeQuestion) => string | undefined;
}

/** Whether the compiler accepts each literal. Generated code that the compiler refuses is a Refusal. */
export const checkLiterals = async (
  session: Session,
  questions: readonly TypeQuestion[],
  { imports, typeOf, bodyOf }: TypesOf,
): Promise<(Judgement | undefined)[]> => {
  const types = questions.map((question) => {
    const { schema, operation } = question;
    return schema !== undefined
      ? typeOf?.(schema, question)
      : operation !== undefined
        ? bodyOf?.(operation, question)
        : undefined;
  });
  const lines = questions.map(({ literal }, index) =>
    types[index] === undefined ? '' : `export const value${index}: ${types[index]} = ${sourceOf(literal)};`,
  );
  await Bun.write(session.file('check.ts'), [imports, ...lines].join('\n'));
  const errors = await compile(session, 'check.ts');
  const broken = errors.find((error) => !error.startsWith('check.ts('));
  if (broken !== undefined)
    throw new Refusal(`The compiler refuses the generated code: ${broken}`, 'generated, does not load');
  const importLines = imports.split('\n').length;
  return types.map((type, index) => {
    if (type === undefined) return undefined;
    const line = errors.find((one) => one.startsWith(`check.ts(${importLines + index + 1},`));
    if (line === undefined) return { isAccepted: true };
    return { isAccepted: false, line: line.replace(/^.*?: error /, ''), isMissing: isMissing.test(line) };
  });
};

/** The types of functions in `api`, which take the parameters of the path and then the body, and return an object with `status` and `data`. */
export const bodyOfFunction =
  ({ document }: Session): NonNullable<TypesOf['bodyOf']> =>
  (operationId, { side, status = 200 }) =>
    side === 'response'
      ? `Extract<Awaited<ReturnType<typeof api.${operationId}>>, { status: ${status} }>['data']`
      : `Parameters<typeof api.${operationId}>[${countInPath(document, operationId)}]`;

/** A bigint is written as one. */
const sourceOf = (literal: unknown): string =>
  JSON.stringify(literal, (_, value) => (typeof value === 'bigint' ? `bigint:${value}` : value)).replaceAll(
    /"bigint:(-?\d+)"/g,
    '$1n',
  );

/** The errors of a namespace, a module or a type without the member that is named, or where the name leads to nothing. */
const isMissing = /error TS(?:2304|2305|2339|2551|2694|2724):|not assignable to type '(?:never|undefined|void)'\.$/;

/** The lines of errors. */
const compile = async (session: Session, file: string): Promise<string[]> => {
  linkPackages(session);
  await Bun.write(session.file('tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  const { text } = await session.run([join(import.meta.dir, '../../../node_modules/.bin/tsc'), '-p', '.'], {
    mayFail: true,
    isHidden: true,
  });
  return text.split('\n').filter((line) => /^\S+\(\d+,\d+\): error /.test(line));
};

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'ESNext',
  module: 'Preserve',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  types: [],
  lib: ['ESNext', 'DOM', 'DOM.Iterable'],
};
