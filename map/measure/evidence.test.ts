/** Each phrase of the evidence claims something about the exit code and the output of the command: every result must bear it out. */
import { expect, test } from 'bun:test';
import { type Adapter, type Kind, readAdapters } from './adapter.ts';
import type { CheckResult } from './check.ts';
import { readResults } from './results.ts';
import { isInWords } from './verdict.ts';

interface Seen {
  readonly id: string;
  readonly kind: Kind;
  readonly feature: string;
  readonly check: CheckResult;
}

const adapters = await readAdapters();

const seen = adapters.flatMap((adapter: Adapter): Seen[] =>
  Object.entries(readResults(adapter)?.answers ?? {}).flatMap(([feature, { checks }]) =>
    checks.map((check) => ({ id: adapter.id, kind: adapter.kind, feature, check })),
  ),
);

/** The command succeeded, or there is none: the tool is a library or a server. */
const hasSucceeded = ({ exitCode = 0 }: CheckResult): boolean => exitCode === 0;
const hasFailed = ({ exitCode = 1 }: CheckResult): boolean => exitCode !== 0;
const says = ({ line = '' }: CheckResult, pattern: RegExp): boolean => pattern.test(line);
const isFinder = (kind: Kind): boolean => kind === 'linter' || kind === 'parser' || kind === 'tester';

/** A generator of models ends with 2 for a document without a schema, which it has read. */
const hasNoModels = ({ command, exitCode }: CheckResult): boolean =>
  command.startsWith('datamodel-codegen ') && exitCode === 2;

/** What each phrase claims. A tool that looks for mistakes ends with another code where it finds one. */
const claims: Readonly<Record<string, (check: CheckResult, kind: Kind) => boolean>> = {
  read: (check, kind) => hasSucceeded(check) || isFinder(kind) || hasNoModels(check),
  // Of the document, of a message, and of a type: the command is then that of the generator.
  refused: (check) =>
    check.check.startsWith('the document')
      ? says(check, /\S/) && (hasFailed(check) || says(check, /could not|error|unsupported/i))
      : hasSucceeded(check),
  'generated, does not load': (check) => hasSucceeded(check) && says(check, /\S/) && (check.loadExitCode ?? 1) !== 0,
  'nothing generated': (check) => hasSucceeded(check) && says(check, /exception|error|not found/i),
  accepted: hasSucceeded,
  'no such type': (check) => hasSucceeded(check) || hasNoModels(check),
  'in the code': hasSucceeded,
  'not in the code': (check) => hasSucceeded(check) || hasNoModels(check),
  shown: hasSucceeded,
  'not shown': hasSucceeded,
  nothing: hasSucceeded,
  'no error': hasSucceeded,
  // The valid document has it, too.
  'no other error': hasFailed,
  'an error': (check) => says(check, /\S/) || hasFailed(check),
  'an error there': (check) => says(check, /\S/),
  passes: hasSucceeded,
  fails: (check) => hasFailed(check) || says(check, /\S/),
  valid: hasSucceeded,
  'no change': hasSucceeded,
  'a change': hasSucceeded,
  // Some end with 1 then.
  'a breaking change': () => true,
};

/** Words that are values: of a response, or of the document. */
const values = new Set(['true', 'false', 'null', 'undefined response type']);

test('every phrase of the evidence has a claim', () => {
  const phrases = new Set(seen.map(({ check }) => check.observed).filter((text) => isInWords(text) && text !== ''));
  expect([...phrases].filter((phrase) => !values.has(phrase) && !Object.hasOwn(claims, phrase))).toEqual([]);
});

test.each(Object.keys(claims))('"%s" has the exit code and the output that it claims', (phrase) => {
  const of = seen.filter(({ check }) => check.observed === phrase);
  expect(of.length).toBeGreaterThan(0);
  const untrue = of.filter(({ check, kind }) => claims[phrase]?.(check, kind) !== true);
  expect(untrue.map(({ id, feature, check }) => `${id}, ${feature}: ${check.exitCode} ${check.line}`)).toEqual([]);
});

test('a refusal by a command has its exit code', () => {
  const unknown = seen.filter(
    ({ id, check: { check, grade, command, exitCode } }) =>
      check === 'the document' && grade === 'wrong' && exitCode === undefined && isCommand(id, command),
  );
  expect(unknown.map(({ id, feature }) => `${id}, ${feature}`)).toEqual([]);
});

/** Neither how a library is called, nor a server, which does not end. */
const isCommand = (id: string, command: string): boolean => {
  const { usage } = adapters.find((one) => one.id === id) ?? {};
  return command !== usage && !command.includes(' --port ');
};

test('each sentence of an adapter is shown, since an answer has its proof', () => {
  const sentences = adapters.flatMap(({ id, sentences = {} }) =>
    Object.entries(sentences).map(([feature, [, , proof]]) => ({ id, feature, proof })),
  );
  expect(sentences.length).toBeGreaterThan(5);
  const unproven = sentences.filter(
    ({ id, feature, proof }) =>
      !seen.some(
        ({ check, ...one }) =>
          one.id === id &&
          one.feature === feature &&
          check.grade !== 'right' &&
          proof.test(`${check.input}\n${check.observed}\n${check.line}`),
      ),
  );
  expect(unproven.map(({ id, feature }) => `${id}, ${feature}`)).toEqual([]);
});
