import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { depthMax, type Json, JsonError, parseJson } from '../../src/base/json.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** The value that the strict parser reads, or `refused`. */
const outcome = (text: string): Json | 'refused' => {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return 'refused';
    throw error;
  }
};

describe('a JSON text that is refused', () => {
  test.each([
    ['no characters', ''],
    ['only white space', ' \n'],
    ['trailing data', '{} {}'],
    ['a trailing comma', '[1,]'],
    ['a comment', '[1] // one'],
    ['a single quote', "{'a':1}"],
    ['a leading zero', '01'],
    ['a plus sign', '+1'],
    ['NaN', 'NaN'],
    ['a raw control character', '"\u0001"'],
    ['a form feed as white space', '\f1'],
    ['an unterminated string', '"abc'],
    ['an incomplete escape at the end', '"abc\\'],
    // A check in quadratic time would exceed the time limit of the test.
    ['an unterminated string of many escaped quotes', `"${'\\"'.repeat(1_000_000)}`],
    ['an unterminated object', '{"a":1'],
    ['a duplicate name', '{"a":1,"a":1}'],
    ['a duplicate name in a nested object', '[{"x":{"a":1,"b":{"a":1},"a":2}}]'],
    ['a duplicate name that is escaped', String.raw`{"a":1,"\u0061":2}`],
    ['a duplicate name and white space', '{"a" : 1, "a"\n:2}'],
    ['a duplicate __proto__', '{"__proto__":1,"__proto__":2}'],
    ['a duplicate empty name', '{"":1,"":2}'],
    ['a name with a bad escape', String.raw`{"\x":1}`],
    ['one level of nesting too many', nested(depthMax + 1)],
    ['far too many levels of nesting', nested(30_000)],
  ])('a JSON text with %s is refused', (_what, text) => {
    expect(outcome(text)).toBe('refused');
  });
});

describe('a JSON text that is read', () => {
  test.each<[string, string, Json]>([
    ['a scalar', ' "x" ', 'x'],
    ['exact integers', '[9007199254740993, 1.0, 1e3, -0]', [9007199254740993n, 1n, 1000n, 0n]],
    ['other numbers as doubles', '[1.5, 1e400, 9223372036854775808]', [1.5, Number.POSITIVE_INFINITY, 2 ** 63]],
    ['the same name in two objects', '[{"a":1},{"a":2}]', [{ a: 1n }, { a: 2n }]],
    ['a name that is also a value', '{"a":"a","b":"a"}', { a: 'a', b: 'a' }],
    ['brackets and quotes in strings', String.raw`["{\"", "]}", "\\"]`, ['{"', ']}', '\\']],
    ['a lone surrogate, which the schema refuses,', String.raw`"\ud800"`, '\ud800'],
  ])('a JSON text with %s is read', (_what, text, value) => {
    expect(outcome(text)).toEqual(value);
  });

  test('nesting up to the limit is read', () => {
    expect(outcome(nested(depthMax))).not.toBe('refused');
  });

  test('__proto__ is read as a member like any other', () => {
    const value = parseJson('{"__proto__":{"name":"x"}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value ?? {})).toEqual(['__proto__']);
  });
});

/** Converts each bigint to a number: the only difference that the two parsers may have. */
const asNumbers = (value: Json): unknown =>
  JSON.parse(JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? Number(member) : member)));

const jsonParse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return 'refused';
  }
};

describe('compared with JSON.parse', () => {
  test('a JSON text within the limits has the same value as with JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (text, indent) => {
        const spaced = JSON.stringify(JSON.parse(text), null, indent);
        expect(asNumbers(parseJson(spaced))).toEqual(JSON.parse(spaced));
      }),
    );
  });

  test('a text is accepted only if JSON.parse accepts it, and both return the same value', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '"a"',
        '"b"',
        '1',
        '-',
        '.',
        'e',
        '0',
        'null',
        'true',
        ' ',
        '\\u0061',
      ),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
        (text) => {
          const strict = outcome(text);
          if (strict !== 'refused') expect(asNumbers(strict)).toEqual(asNumbers(jsonParse(text) as Json));
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('the fast path reads a flat object to the same value as the other path, which a leading space selects', () => {
    const name = fc.constantFrom('"a"', '"b"', '"__proto__"', '""', '"a\\n"', '"\ud83c\udf31"');
    const value = fc.oneof(
      fc.constantFrom(
        '"t"',
        '"{"',
        '"a\\":"',
        '0',
        '-0',
        '-1',
        '01',
        '1.0',
        '1e2',
        '123456789012345',
        '1234567890123456',
      ),
      fc.constantFrom('9223372036854775807', '9223372036854775808', 'null', 'true', '{}', '[1]', '"\u0000"', ''),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, value), { maxLength: 4 }),
        fc.constantFrom(',', ',,', '', ', '),
        (members, comma) => {
          const text = `{${members.map(([one, other]) => `${one}:${other}`).join(comma)}}`;
          expect(outcome(text)).toEqual(outcome(` ${text}`));
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('JSON with one changed character is accepted only if JSON.parse accepts it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom(...'{}[],:"\\0e-. x'), (text, at, character) => {
        const index = at % text.length;
        const changed = text.slice(0, index) + character + text.slice(index + 1);
        if (jsonParse(changed) === 'refused') expect(outcome(changed)).toBe('refused');
      }),
      { numRuns: 2000 },
    );
  });
});
