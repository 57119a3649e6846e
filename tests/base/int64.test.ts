import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  copyExactly,
  int64FromCanonical,
  int64FromNumeral,
  int64Max,
  int64Min,
  int64ToJson,
  isInt64,
} from '../../src/base/int64.ts';
import { expectLinear } from '../support/pace.ts';

describe('a JSON numeral', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['-0.0', 0n],
    ['0e999999999999', 0n],
    ['1.0', 1n],
    ['1e3', 1000n],
    ['1E+3', 1000n],
    ['1.5e1', 15n],
    ['100e-2', 1n],
    ['9007199254740993', 2n ** 53n + 1n],
    ['9223372036854775807', int64Max],
    ['-9223372036854775808', int64Min],
    ['9.223372036854775807e18', int64Max],
    ['92233720368547758070e-1', int64Max],
    ['0.0000000000000000001e19', 1n],
  ])('the JSON numeral %s has the integer value %p', (numeral, value) => {
    expect(int64FromNumeral(numeral)).toBe(value);
  });

  test.each([
    '1.5',
    '1e-1',
    '1e-400',
    '99999999999999.99999999999999',
    '9223372036854775808',
    '-9223372036854775809',
    '1e400',
    '1e19',
    '1e999999999999999999999',
    '1'.repeat(60_000),
    'NaN',
    '',
  ])('a numeral whose value is not an int64 is refused (%#)', (numeral) => {
    expect(int64FromNumeral(numeral)).toBeUndefined();
  });

  test.each([
    ['zeros before the last digit', (size: number) => `1${'0'.repeat(size)}1`],
    ['zeros after the point', (size: number) => `0.${'0'.repeat(size)}1`],
    ['zeros before and after', (size: number) => `${'0'.repeat(size / 2)}.${'0'.repeat(size / 2)}e1`],
  ])('a numeral with many %s is read in linear time', (_what, numeralOf) => {
    expectLinear((size) => int64FromNumeral(numeralOf(size)), 6400);
  });

  test('every int64 is read back from its JSON text, with any exponent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: int64Min, max: int64Max }), fc.nat(30), (value, zeros) => {
        expect(int64FromNumeral(JSON.stringify(int64ToJson(value)))).toBe(value);
        expect(int64FromNumeral(`${value}${'0'.repeat(zeros)}e-${zeros}`)).toBe(value);
        expect(int64FromNumeral(`${value}.${'0'.repeat(zeros + 1)}`)).toBe(value);
      }),
    );
  });
});

describe('an id in a path', () => {
  test.each([
    ['0', 0n],
    ['1', 1n],
    ['-7', -7n],
    ['9223372036854775807', int64Max],
    ['-9223372036854775808', int64Min],
  ])('%s is the canonical form of an id in a path', (text, value) => {
    expect(int64FromCanonical(text)).toBe(value);
  });

  test.each([
    '01',
    '+1',
    '-0',
    '1.0',
    '1e3',
    '',
    ' 1',
    '1 ',
    '１',
    '9223372036854775808',
    '-9223372036854775809',
    '0x1',
  ])('%p is not an id in a path', (text) => {
    expect(int64FromCanonical(text)).toBeUndefined();
  });
});

test('only a bigint in the range of int64 is an int64, and a number is not', () => {
  expect(isInt64(1)).toBe(false);
  expect(isInt64(int64Max)).toBe(true);
  expect(isInt64(int64Max + 1n)).toBe(false);
  expect(isInt64(int64Min)).toBe(true);
  expect(isInt64(int64Min - 1n)).toBe(false);
});

test('a copy of a value has exact integers, and no members without a value', () => {
  const value = {
    a: [int64Max, 1n, 1.5, 1e300],
    b: undefined,
    c: { d: JSON.rawJSON(`${int64Min}`) },
    e: '9223372036854775807',
  };
  const text = `{"a":[${int64Max},1,1.5,1e+300],"c":{"d":${int64Min}},"e":"${int64Max}"}`;
  expect(JSON.stringify(copyExactly(value))).toBe(text);
  expect(JSON.stringify(copyExactly(copyExactly(value)))).toBe(text);
});
