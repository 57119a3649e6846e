/** The verdict that is computed from the results of checks. */
import { expect, test } from 'bun:test';
import type { CheckResult, Grade } from './check.ts';
import { sentenceOf, verdictOf } from './verdict.ts';

const result = (grade: Grade, isBasic = false): CheckResult => ({
  check: `a ${grade} check`,
  isBasic,
  command: 'tool openapi.yaml',
  input: '{}',
  expected: 'refused',
  observed: grade === 'right' ? 'refused' : 'accepted',
  grade,
});

const basic = (grade: Grade): CheckResult => result(grade, true);

test.each<[string, readonly CheckResult[], string | undefined]>([
  ['nothing was asked', [], undefined],
  ['only basic checks were asked', [basic('right')], undefined],
  ['a basic check is wrong', [basic('wrong'), result('right')], 'wrong'],
  ['only a basic check was asked, and it is wrong', [basic('wrong')], 'wrong'],
  ['a basic check accepts what is invalid', [basic('ignored'), result('ignored')], 'wrong'],
  [
    'the type of a basic check is missing',
    [{ ...basic('ignored'), observed: 'no such type' }, result('ignored')],
    'ignored',
  ],
  ['all checks of the feature are right', [basic('right'), result('right'), result('right')], 'right'],
  ['all are ignored', [basic('right'), result('ignored')], 'ignored'],
  ['one is ignored and one is wrong', [result('ignored'), result('wrong')], 'wrong'],
  ['one is right and one is ignored', [result('right'), result('ignored')], 'partly'],
  ['one is right and one is wrong', [result('right'), result('wrong')], 'partly'],
])('when %s, the verdict follows', (_, checks, verdict) => {
  expect(`${verdictOf(checks)?.verdict}`).toBe(`${verdict}`);
});

test('the sentence names the check that decides, and all checks if they are right', () => {
  const sentence = (...checks: CheckResult[]) => {
    const computed = verdictOf(checks);
    return computed && sentenceOf(computed, checks);
  };
  expect(sentence(result('right'), result('ignored'), result('wrong'))).toBe(
    'A wrong check: accepted; expected: refused.',
  );
  expect(sentence(basic('right'), result('right'), { ...result('right'), check: 'another' })).toBe(
    'A right check: refused; another: refused.',
  );
  const refusal = { ...basic('wrong'), check: 'the document', observed: 'refused', expected: 'read' };
  expect(sentence(refusal)).toBe('The document: refused; expected: read.');
  expect(sentence({ ...refusal, line: `Error: ${'a'.repeat(120)}` })).toBe(
    `The document: refused (\`Error: ${'a'.repeat(112)}…\`); expected: read.`,
  );
  expect(sentence({ ...result('wrong'), observed: '{"id":1}' })).toBe('A wrong check: `{"id":1}`; expected: refused.');
});

test('the sentence has the line that decides, where the answer says nothing about the reason', () => {
  const sentence = (line: string, observed = 'refused') => {
    const check: CheckResult = { ...result('wrong'), expected: 'accepted', observed, line };
    const computed = verdictOf([check]);
    return computed && sentenceOf(computed, [check]);
  };
  expect(sentence("TypeError: `id`\n  is '3.1.1'")).toBe(
    "A wrong check: refused (`TypeError: 'id' is '3.1.1'`); expected: accepted.",
  );
  expect(sentence('a'.repeat(121))).toBe(`A wrong check: refused (\`${'a'.repeat(119)}…\`); expected: accepted.`);
  expect(sentence('TypeError', '{\n  "id": 1\n}')).toBe('A wrong check: `{ "id": 1 }`; expected: accepted.');
  expect(sentence('TypeError', '{"id":1}')).toBe('A wrong check: `{"id":1}`; expected: accepted.');
  expect(sentence('└───┘')).toBe('A wrong check: refused; expected: accepted.');
});
