/** Calls of generated clients in TypeScript, in a process of their own. */
import type { CallAnswer, CallQuestion } from '../../measure/abilities/call.ts';
import { exactJson } from '../../measure/exact-json.ts';
import type { Session } from '../../measure/session.ts';
import { linkPackages } from './packages.ts';

export interface TypeScriptClient {
  /** Imports of the generated code, which is in the folder of the session. */
  readonly imports: string;
  /** An expression for the value of the response, as a user would write it. Undefined where there is no such operation. */
  readonly call: (question: CallQuestion, literal: (value: unknown) => string) => string | undefined;
}

/** A client without a base URL, or with a relative one, calls `fetch` with a path, which is resolved by that of the question. */
export const callTypeScript = async (
  session: Session,
  questions: readonly CallQuestion[],
  { imports, call }: TypeScriptClient,
): Promise<(CallAnswer | undefined)[]> => {
  const calls = questions.map((question) => call(question, exactJson));
  const lines = calls.flatMap((expression, index) =>
    expression === undefined
      ? []
      : [`await ask(${index}, ${JSON.stringify(questions[index]?.baseUrl)}, async () => ${expression});`],
  );
  linkPackages(session);
  await Bun.write(session.file('calls.ts'), [imports, driver, ...lines].join('\n'));
  const { text, exitCode } = await session.run([process.execPath, 'calls.ts'], { isHidden: true, mayFail: true });
  // A generator that knows none of the operations writes no client.
  if (/Cannot find module '\.\//.test(text)) return questions.map(() => undefined);
  if (exitCode !== 0) throw new Error(`The calls failed: ${text}`);
  const answers = new Map(
    text
      .split('\n')
      .filter((line) => line.startsWith('answer '))
      .map((line): [number, CallAnswer] => {
        const { index, ...answer } = JSON.parse(line.slice('answer '.length));
        return [index, answer];
      }),
  );
  return questions.map((_, index) => answers.get(index));
};

/** The arguments of a call, without those that are undefined. */
export const argumentsOf = (values: readonly unknown[], literal: (value: unknown) => string): string =>
  values
    .filter((value) => value !== undefined)
    .map(literal)
    .join(', ');

const driver = `
const { fetch: plainFetch, Request: PlainRequest } = globalThis;
let base = '';
const absolute = (input) => (typeof input === 'string' && input.startsWith('/') ? base + input : input);
globalThis.fetch = ((input, init) => plainFetch(absolute(input), init)) as typeof fetch;
globalThis.Request = class extends PlainRequest {
  constructor(input, init) {
    super(absolute(input), init);
  }
} as typeof Request;
const exact = (value) => JSON.stringify(value, (_, it) => (typeof it === 'bigint' ? JSON.rawJSON(String(it)) : it));
const ask = async (index, baseUrl, call) => {
  base = baseUrl;
  try {
    console.log('answer ' + JSON.stringify({ index, value: exact(await call()) }));
  } catch (error) {
    console.log('answer ' + JSON.stringify({ index, error: String(error) }));
  }
};
`;
