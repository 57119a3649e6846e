/** The compiler of TypeScript, for the types of generators. */
import { join } from 'node:path';
import type { TypeQuestion } from '../../map/abilities/type-check.ts';
import type { Judgement } from '../../map/abilities/validate.ts';
import type { Session } from '../../map/session.ts';

export interface TypesOf {
  /** Imports of the generated code in the folder of the session. */
  readonly imports: string;
  /** The type that a user takes for the schema. Undefined if there is none for this question. */
  readonly typeOf: (question: TypeQuestion) => string | undefined;
}

/** Whether the compiler accepts each literal. */
export const checkLiterals = async (
  session: Session,
  questions: readonly TypeQuestion[],
  { imports, typeOf }: TypesOf,
): Promise<(Judgement | undefined)[]> => {
  const types = questions.map(typeOf);
  const lines = questions.map(({ literal }, index) =>
    types[index] === undefined ? '' : `export const value${index}: ${types[index]} = ${JSON.stringify(literal)};`,
  );
  await Bun.write(session.file('check.ts'), [imports, ...lines].join('\n'));
  await Bun.write(session.file('tsconfig.json'), JSON.stringify({ compilerOptions, files: ['check.ts'] }));
  const { text } = await session.run([join(import.meta.dir, '../../../node_modules/.bin/tsc'), '-p', '.'], {
    mayFail: true,
    isHidden: true,
  });
  const importLines = imports.split('\n').length;
  return types.map((type, index) => {
    if (type === undefined) return undefined;
    const line = text.split('\n').find((one) => one.startsWith(`check.ts(${importLines + index + 1},`));
    return { isAccepted: line === undefined, ...(line !== undefined && { line: line.replace(/^.*?: error /, '') }) };
  });
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
  lib: ['ESNext', 'DOM'],
};
