/** With which document the features of OpenAPI 3.0 are asked. */
import { expect, test } from 'bun:test';
import { type Case, readCases } from './case.ts';
import type { CheckResult } from './check.ts';
import type { Results } from './results.ts';
import { forVersionsOf } from './version.ts';

const cases = await readCases();
const caseOf = (id: string): Case => {
  const found = cases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no case ${id}.`);
  return found;
};

/** Of a tool that refuses these versions. */
const answersRefusing = (...versions: readonly string[]): Results['answers'] =>
  Object.fromEntries(
    ['3-0', '3-1', '3-2'].map((version) => {
      const grade = versions.includes(version) ? ('wrong' as const) : ('right' as const);
      const check: CheckResult = {
        check: 'the document',
        isBasic: false,
        command: 'tool openapi.yaml',
        input: 'openapi.yaml',
        expected: 'read',
        observed: grade === 'wrong' ? 'refused' : 'read',
        grade,
      };
      return [`openapi-${version}`, { hash: '', date: '2026-11-25', openapi: '3.1' as const, checks: [check] }];
    }),
  );

test.each([
  ['reads only 3.0', 'links', '3.0.3', answersRefusing('3-1', '3-2')],
  ['reads only 3.0', 'webhooks', '3.1.1', answersRefusing('3-1', '3-2')],
  ['reads 3.1', 'links', '3.1.1', answersRefusing('3-2')],
  ['reads none', 'links', '3.1.1', answersRefusing('3-0', '3-1', '3-2')],
  ['was not asked', 'links', '3.1.1', {}],
])('a tool that %s is asked %s with a document of %s', (_, feature, openapi, answers) => {
  expect(forVersionsOf(caseOf(feature), answers).document['openapi']).toBe(openapi);
});
