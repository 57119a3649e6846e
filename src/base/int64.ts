/** A signed 64-bit integer is a BigInt everywhere, from a request to the database and back, so no id is rounded to a double. */

export const int64Min = -(2n ** 63n);
export const int64Max = 2n ** 63n - 1n;

/** Whether `value` is a BigInt from −2⁶³ to 2⁶³−1; a number never is. */
export const isInt64 = (value: unknown): value is bigint =>
  typeof value === 'bigint' && value >= int64Min && value <= int64Max;

/** Reads an integer in canonical decimal form, such as `0`, `1` and `-7`. Undefined for `01`, `+1`, `-0`, `1.0` and any other text. */
export const int64FromCanonical = (text: string): bigint | undefined =>
  /^(?:0|-?[1-9]\d{0,18})$/.test(text) ? inRange(BigInt(text)) : undefined;

/**
 * Reads a JSON numeral (RFC 8259 §6) by its mathematical value, as JSON Schema 2020-12 does: `12`, `1.0`, `1e3` and `-0`
 * are integers. Undefined if the value has a fraction or is outside 64 bits. The numeral must be well-formed.
 */
export const int64FromNumeral = (numeral: string): bigint | undefined => {
  if (numeral.length <= 18 && /^-?\d+$/.test(numeral)) return BigInt(numeral);
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(numeral);
  if (!parts) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0n;
  const zeros = countTrailingZeros(digits);
  const power = Number(exponent) - fraction.length + zeros;
  if (power < 0 || digits.length - zeros + power > digitsMax) return undefined;
  return inRange(BigInt(sign + digits.slice(0, digits.length - zeros) + '0'.repeat(power)));
};

/** A pattern such as /0+$/ would restart at every zero, in quadratic time. */
const countTrailingZeros = (digits: string): number => {
  let start = digits.length;
  while (digits[start - 1] === '0') start -= 1;
  return digits.length - start;
};

/** A value that `JSON.stringify` writes as the exact integer. A number costs far less than RawJson, so it is used if it is exact. */
export const int64ToJson = (value: bigint): RawJson | number =>
  value <= safeMax && value >= -safeMax ? Number(value) : JSON.rawJSON(`${value}`);

/** A copy of the value as JSON has it. `JSON.stringify` writes each of its integers exactly, also what was a bigint. */
export const copyExactly = (value: object) =>
  JSON.parse(JSON.stringify(value, toExact), (_name, member: unknown, { source = '' }: { source?: string } = {}) =>
    typeof member === 'number' && /^-?\d{16,}$/.test(source) ? JSON.rawJSON(source) : member,
  );

const toExact = (_name: string, member: unknown) => (typeof member === 'bigint' ? int64ToJson(member) : member);

const safeMax = BigInt(Number.MAX_SAFE_INTEGER);

/** https://tc39.es/proposal-json-parse-with-source/: supported by the engine, but not yet in TypeScript's library. */
interface RawJson {
  readonly rawJSON: string;
}
declare global {
  interface JSON {
    rawJSON(text: string): RawJson;
    isRawJSON(value: unknown): value is RawJson;
  }
}

/** 2⁶³ has 19 digits, so a longer numeral is rejected before a BigInt is created. */
const digitsMax = 19;

const inRange = (value: bigint): bigint | undefined => (isInt64(value) ? value : undefined);
