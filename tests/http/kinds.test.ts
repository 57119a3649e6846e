/** The kinds of `http/kinds.ts` check every keyword that they accept. */
import { describe, expect, expectTypeOf, test } from 'bun:test';
import type { TUnsafe } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { int64Max, int64Min } from '../../src/base/int64.ts';
import { createDocument } from '../../src/document/document.ts';
import { toOpenApi30 } from '../../src/document/openapi-3.0.ts';
import { toOpenApi32 } from '../../src/document/openapi-3.2.ts';
import { toYaml } from '../../src/document/yaml.ts';
import { type TSchema, t, toJsonSchema } from '../../src/http/schema.ts';
import { createPlant } from '../../src/plants/operations.ts';
import { NewPlant } from '../../src/plants/schemas.ts';

const description = 'd';

type Accepts<Make, Options> = Make extends (options: Options & { description: string }) => unknown ? true : false;
interface Int64 {
  examples: bigint[];
  minimum: bigint;
  maximum: bigint;
}
interface Text {
  maxLength: number;
}
interface Integer {
  minimum: number;
  maximum: number;
  default: number;
}
interface Words {
  words: readonly ('a' | 'b')[];
}

/** The compiler checks these. */
test('a keyword that a kind does not check is a compile error', () => {
  expectTypeOf<Accepts<typeof t.Int64, Int64>>().toEqualTypeOf<true>();
  expectTypeOf<Accepts<typeof t.Int64, Int64 & { exclusiveMaximum: bigint }>>().toEqualTypeOf<false>();
  expectTypeOf<Accepts<typeof t.Int64, Int64 & { multipleOf: bigint }>>().toEqualTypeOf<false>();
  expectTypeOf<Accepts<typeof t.Int64, { examples: bigint[]; maximum: number }>>().toEqualTypeOf<false>();

  expectTypeOf<Accepts<typeof t.StorableText, Text>>().toEqualTypeOf<true>();
  expectTypeOf<Accepts<typeof t.StorableText, Text & { minLength: number }>>().toEqualTypeOf<false>();
  expectTypeOf<Accepts<typeof t.StorableText, Text & { format: 'email' }>>().toEqualTypeOf<false>();
  expectTypeOf<Accepts<typeof t.Instant, object>>().toEqualTypeOf<true>();
  expectTypeOf<Accepts<typeof t.Instant, Text>>().toEqualTypeOf<false>();
  expectTypeOf<Accepts<typeof t.SecretText, { examples: string[] }>>().toEqualTypeOf<true>();
  expectTypeOf<Accepts<typeof t.SecretText, Text>>().toEqualTypeOf<false>();

  expectTypeOf<Accepts<typeof t.CanonicalInt64, { examples: { demo: bigint } }>>().toEqualTypeOf<true>();
  expectTypeOf<
    Accepts<typeof t.CanonicalInt64, { examples: { demo: bigint }; minimum: bigint }>
  >().toEqualTypeOf<false>();
  expectTypeOf<Accepts<typeof t.IntegerText, Integer>>().toEqualTypeOf<true>();
  expectTypeOf<Accepts<typeof t.IntegerText, Integer & { multipleOf: number }>>().toEqualTypeOf<false>();
  expectTypeOf<Accepts<typeof t.Enumeration, Words>>().toEqualTypeOf<true>();
  expectTypeOf<Accepts<typeof t.Enumeration, Words & Text>>().toEqualTypeOf<false>();

  type OfNull<Wording> = (schema: TUnsafe<string>, wording: Wording) => unknown;
  interface Null {
    description: string;
    examples: null[];
  }
  expectTypeOf<typeof t.OrNull extends OfNull<Null> ? true : false>().toEqualTypeOf<true>();
  expectTypeOf<typeof t.OrNull extends OfNull<Null & Text> ? true : false>().toEqualTypeOf<false>();
});

const accepts = (schema: TSchema, value: unknown): boolean => TypeCompiler.Compile(schema).Check(value);

test.each([
  [{ minimum: 0n, maximum: 20_000n }, [0n, 20_000n], [-1n, 20_001n, 1, '1', null]],
  [{ minimum: -3n }, [-3n, int64Max], [-4n, int64Max + 1n]],
  [{ maximum: 2n ** 60n + 1n }, [int64Min, 2n ** 60n + 1n], [2n ** 60n + 2n]],
])('an Int64 with the bounds %p accepts the values up to its bounds, and no other', (bounds, valid, invalid) => {
  const schema = t.Int64({ description, examples: [1n], ...bounds });
  const orNull = t.OrNull(schema, { description, examples: [null] });
  for (const value of valid) expect([accepts(schema, value), accepts(orNull, value)]).toEqual([true, true]);
  for (const value of invalid)
    expect([accepts(schema, value), accepts(orNull, value)]).toEqual([false, value === null]);
});

test.each([
  [-2, 3, ['-2', '0', '3', 0], ['-3', '4', '-0', '01', '+1', '1.0', '1e0', '', ' 1', 'x']],
  [0, 2 ** 31 - 1, ['0', '2147483647'], ['-1', '2147483648']],
])(
  'an IntegerText from %d to %d accepts the values up to its bounds, and no other',
  (minimum, maximum, valid, invalid) => {
    const schema = t.IntegerText({ description, minimum, maximum, default: 1 });
    expect(valid.filter((value) => !accepts(schema, value))).toEqual([]);
    expect(invalid.filter((value) => accepts(schema, value))).toEqual([]);
  },
);

describe('the bounds of an Int64 in the document', () => {
  const minimum = -(2n ** 53n) - 1n;
  const maximum = 2n ** 60n + 1n;
  const id = t.Int64({ description, examples: [maximum], minimum, maximum });
  const { body } = createPlant;
  if (!body) throw new Error('The operation has no body.');
  const schema = t.Object({ ...NewPlant.properties, id });
  const document = createDocument({ createPlant: { ...createPlant, body: { ...body, schema } } });

  test.each([
    ['JSON', JSON.stringify(document)],
    ['YAML', toYaml(document)],
    ['JSON of OpenAPI 3.0', JSON.stringify(toOpenApi30(document))],
    ['JSON of OpenAPI 3.2', JSON.stringify(toOpenApi32(document))],
  ])('a bound beyond 2⁵³ is exact in the %s', (_format, text) => {
    expect(text).toMatch(new RegExp(`"?minimum"?: ?${minimum}\\b`));
    expect(text).toMatch(new RegExp(`"?maximum"?: ?${maximum}\\b`));
  });

  test('the bounds of int64 itself are left out, since tools round them and the format has them', () => {
    expect(toJsonSchema(t.Int64({ description, examples: [1n], minimum: int64Min, maximum: int64Max }))).toEqual({
      type: 'integer',
      format: 'int64',
      description,
      examples: [1],
    });
  });
});
