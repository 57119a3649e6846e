import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { printYaml } from '../../src/base/yaml.ts';

test('a nested value is printed in block style', () => {
  const value = { openapi: '3.1.1', info: {}, list: [1, [true, null], { a: 'b: c', d: [] }], '200 ': 'ok' };
  expect(printYaml(value)).toBe(`openapi: 3.1.1
info: {}
list:
  - 1
  - - true
    - null
  - a: "b: c"
    d: []
"200 ": ok
`);
});

test.each(['1.1', '1.2'] as const)('a parser of YAML %s reads every value as it was', (version) => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...' -:#0123456789._eExoTZ~noyNOY') }));
  const value = fc.letrec((tie) => ({
    value: fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  })).value;
  fc.assert(
    fc.property(value, (given) => {
      expect(parse(printYaml(given as never), { version, strict: true, merge: false })).toEqual(given);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  'no',
  'Yes',
  'null',
  '~',
  '12',
  '1_000',
  '0x1f',
  '.5',
  '1e3',
  '12:30:45',
  '2026-05-01',
  'a: b',
  'a #b',
  '- a',
  '',
  ' a',
])('the text %s is quoted', (text) => {
  expect(printYaml([text])).toBe(`- ${JSON.stringify(text)}\n`);
});
