/** The document as YAML reads like a text, and every parser reads it as the same value. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { toYaml } from '../../src/document/yaml.ts';

test('a long text is a block, what is small is on one line, and only a text that needs them has quotes', () => {
  const long = 'A text of ninety characters is folded if it is longer than a line, which has 100 and more.';
  const value = {
    summary: long,
    description: `${long} ${long}`,
    value: `event: ${'x'.repeat(110)}\n\n`,
    pattern: `^${'x '.repeat(60)}$`,
    externalDocs: { description: `${long} ${long}\n\n- ${long}` },
    tags: ['a', 1, true, 'no'],
    security: [{ bearerAuth: [] }],
    schema: { type: 'string', pattern: '^a$' },
    list: [{ a: { b: 1 } }, { a: { b: { c: 1 } } }, { a: 'it, too' }, { a: long }],
    three: { a: { b: { c: 1 } } },
    '200': "it's: ok",
  };
  expect(toYaml(value)).toBe(`'200': "it's: ok"
summary: ${long}
description: >-
  ${long} A text
  ${long.replace('A text ', '')}
value: |+
  event: ${'x'.repeat(110)}

pattern: |-
  ^${'x '.repeat(60)}$
externalDocs:
  description: >-
    ${long} A
    ${long.replace('A ', '')}


    - ${long}
tags: [a, 1, true, 'no']
security: [{bearerAuth: []}]
schema: {type: string, pattern: ^a$}
list:
  - {a: {b: 1}}
  - a: {b: {c: 1}}
  - {a: 'it, too'}
  - a: ${long}
three:
  a: {b: {c: 1}}
`);
});

const readers: readonly (readonly [string, (text: string) => unknown])[] = [
  ['YAML 1.2', (text) => parse(text, { version: '1.2', strict: true })],
  ['YAML 1.1', (text) => parse(text, { version: '1.1', strict: true, merge: false })],
  ['YAML in Bun', (text) => Bun.YAML.parse(text)],
];

test.each(readers)('a parser of %s reads a text with line ends in a small list', (_name, read) => {
  const whole = { examples: ['-\no', 'a\n-'], nested: [{ a: '?\no' }] };
  expect(read(toYaml(whole))).toEqual(whole);
});

test.each(readers)('a parser of %s reads every value as it was', (_name, read) => {
  const piece = fc.constantFrom(...' -:#0123456789._eExoTZ~noyNOY\n\'"|>%@`&*!?,[]{}\\');
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: piece }),
    fc.string({ unit: piece, minLength: 60, maxLength: 250 }),
    fc.array(fc.constantFrom('word', 'a', '\n', '\n\n', ' ', '- '), { maxLength: 60 }).map((words) => words.join(' ')),
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(fc.oneof(fc.string({ unit: piece }), fc.constant('description')), tie('value'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  })).value;
  fc.assert(
    fc.property(value, (given) => {
      const whole = { description: given, examples: [given] };
      expect(read(toYaml(whole))).toEqual(whole);
    }),
    { numRuns: 1000 },
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
])('the text %p is quoted', (text) => {
  expect([`text: '${text}'\n`, `text: "${text}"\n`]).toContain(toYaml({ text }));
});

test('no text of openapi.yaml is in double quotes, and no line is longer than a page, except data', () => {
  const lines = readFileSync(join(import.meta.dir, '../../openapi/openapi.yaml'), 'utf8').split('\n');
  const isData = (line: string): boolean => /^ *(?:data: |value: "|\{"|# |\^|[\w+/]{100,}=*$)/.test(line);
  expect(lines.filter((line) => !isData(line) && /: "/.test(line.replace(/'[^']*'$|`[^`]*`/g, '')))).toEqual([]);

  expect(lines.filter((line) => line.length > 100 && !isData(line))).toEqual([]);
});

test.each(['a:b', 'a#b', 'a?', 'a, b', 'a[0]', '{a}'])(
  'the text %p is quoted in a list or an object on one line, where older parsers would refuse it',
  (text) => {
    expect(toYaml({ roles: [text, 'any'], schema: { title: text } })).toBe(
      `roles: ['${text}', any]\nschema: {title: '${text}'}\n`,
    );
  },
);

test('a line has at most 100 characters, with its indentation, name and quotes', () => {
  const lineOf = (length: number): string =>
    toYaml({ outer: { a: 'x: '.padEnd(length, 'y'), b: [{}, { c: { d: {} } }] } });
  expect(lineOf(100 - 2 - "a: ''".length)).toContain("\n  a: 'x: y");
  expect(lineOf(101 - 2 - "a: ''".length)).toContain('\n  a: >-\n');
  const objectOf = (length: number): string => toYaml({ outer: { a: { b: 'y'.repeat(length) }, c: { d: { e: {} } } } });
  expect(objectOf(100 - 2 - 'a: {b: }'.length)).toContain('\n  a: {b: y');
  expect(objectOf(101 - 2 - 'a: {b: }'.length)).toContain('\n  a:\n    b: y');
});
