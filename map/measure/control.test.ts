/** The controls: the same questions without the feature, and which checks a tool cannot be asked. */
import { expect, test } from 'bun:test';
import { validate } from '@hyperjump/json-schema/openapi-3-0';
import { type Adapter, readAdapters } from './adapter.ts';
import { type Case, readCases } from './case.ts';
import type { CheckResult } from './check.ts';
import { controlledAbilities, controlOf, decidingControl, failedOnly, namesOf, withControl } from './control.ts';
import { exactJson } from './exact-json.ts';
import { verdictOf } from './verdict.ts';

const cases = await readCases();
const controls = (
  await Promise.all(cases.map(async (feature) => ({ id: feature.id, feature, control: await controlOf(feature) })))
).flatMap(({ control, ...one }) => (control === undefined ? [] : [{ ...one, control }]));

test.each(controls)(
  'the document of the control of $id is valid as one of 3.0.3',
  async ({ control: { document } }) => {
    const isValid = async (one: unknown) =>
      (await validate('https://spec.openapis.org/oas/3.0/schema', JSON.parse(exactJson(one)))).valid;
    expect(document['openapi']).toBe('3.0.3');
    expect(await isValid(document)).toBe(true);
    expect(await isValid({ ...document, info: { version: '1' } })).toBe(false);
  },
);

const allNamesOf = (feature: Case, ability: (typeof controlledAbilities)[number]): string[] =>
  [feature, ...(feature.variants ?? [])].flatMap(({ checks }) => namesOf(checks, ability));

test.each(controls)(
  'each check of the control of $id has the name of a check of the feature',
  ({ feature, control }) => {
    for (const ability of controlledAbilities)
      expect(allNamesOf(feature, ability)).toEqual(expect.arrayContaining(namesOf(control.checks, ability)));
  },
);

/** The version 3.0 is what the others are compared with. What the others are asked, a tool passes that ignores the feature. */
const without = ['openapi-3-0', 'roles'];

test('each feature that a tester, a mock, a validator or a generator is asked for has a control', () => {
  const asked = cases.filter((feature) => controlledAbilities.some((name) => allNamesOf(feature, name).length > 0));
  const missing = asked.filter(({ control }) => control === undefined).map(({ id }) => id);
  expect(missing).toEqual(without);
});

const result = (check: string, grade: CheckResult['grade'], isBasic = false): CheckResult => ({
  check,
  isBasic,
  command: 'test openapi.yaml',
  input: '',
  expected: 'passes',
  observed: 'fails',
  grade,
});

test('a check whose control fails does not count, and without one that counts there is no verdict', () => {
  const checks = [result('a list', 'wrong'), result('a text', 'right')];
  expect(verdictOf(checks)?.verdict).toBe('partly');
  expect(verdictOf(withControl(checks, { test: [result('a list', 'right')] }))?.verdict).toBe('partly');
  const failed = { test: [result('a list', 'ignored'), result('a text', 'right')] };
  expect(verdictOf(withControl(checks, failed))?.verdict).toBe('right');
  expect(verdictOf(withControl([result('a list', 'wrong')], failed))).toBeUndefined();
  expect(decidingControl(failed)?.check).toBe('a list');
});

test('where a basic check of the control fails, no check of its ability counts', () => {
  const checks = [result('a server', 'wrong', true), result('another server', 'right'), result('a type', 'right')];
  const control = {
    test: [result('another server', 'right'), result('a server', 'wrong', true)],
    typeCheck: [result('a type', 'right')],
  };
  const counted = withControl(checks, control).filter(({ isUnasked }) => !isUnasked);
  expect(counted.map(({ check }) => check)).toEqual(['a type']);
});

test('where the document of the control is refused, nothing counts; where only that of the feature is, all does', () => {
  const checks = [result('the document', 'wrong', true)];
  const refused = { load: [result('the document', 'wrong', true)] };
  expect(verdictOf(withControl(checks, refused))).toBeUndefined();
  const read = { load: [result('the document', 'right', true)], validate: [result('a body', 'ignored', true)] };
  expect(verdictOf(withControl(checks, read))?.verdict).toBe('wrong');
});

test('a check of a variant has the control of the check with its name', () => {
  const checks = [result('a body', 'wrong'), result('a body, with the dialect', 'wrong')];
  const control = { validate: [result('a body', 'wrong')] };
  expect(verdictOf(withControl(checks, control))).toBeUndefined();
});

test('only the abilities that failed are asked the control, and all of them where the document was refused', async () => {
  const feature = cases.find(({ id }) => id === 'prefix-items');
  const [tool] = (await readAdapters()).filter(({ id }) => id === 'ogen');
  if (feature === undefined || tool === undefined) throw new Error('There is no such tool, or no such feature.');
  const asked = (adapter: Adapter, checks: readonly CheckResult[]) =>
    Object.keys(failedOnly(adapter, feature, checks)?.abilities ?? {}).sort();
  expect(asked(tool, [result('a call with a valid body', 'right')])).toEqual([]);
  expect(asked(tool, [result('a call with a valid body', 'wrong')])).toEqual(['call', 'load']);
  expect(asked(tool, [result('the document', 'wrong')])).toEqual(['call', 'code', 'load', 'typeCheck']);
  expect(asked({ ...tool, kind: 'linter' }, [result('the document', 'wrong')])).toEqual([]);
});
