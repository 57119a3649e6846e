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
  expect(sentence({ ...result('wrong'), observed: '{"id":1}' })).toBe('A wrong check: `{"id":1}`; expected: refused.');
});

test('the sentence has what a tool says that refuses something', () => {
  const refusal = { ...basic('wrong'), observed: 'refused', expected: 'read' };
  const sentence = (line?: string) => {
    const check = { ...refusal, ...(line !== undefined && { line }) };
    return sentenceOf({ verdict: 'wrong', deciding: check }, [check]);
  };
  expect(sentence('must be `3.0`')).toBe("A wrong check: refused (`must be '3.0'`); expected: read.");
  expect(sentence(`no ${'x'.repeat(200)}`)).toContain(`no ${'x'.repeat(116)}…`);
  expect(sentence('└───┘')).toBe('A wrong check: refused; expected: read.');
  expect(sentence()).toBe('A wrong check: refused; expected: read.');
});
