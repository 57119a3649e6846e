import { randomInt } from 'node:crypto';

/** Whether every database can store the value exactly: a string of at most `lengthMax` code points, without U+0000 or lone surrogates. */
export const isKeepableText = (value: unknown, lengthMax: number): value is string =>
  typeof value === 'string' && hasAtMost(value, lengthMax) && !value.includes('\0') && value.isWellFormed();

/** Counts code points only if the UTF-16 length does not decide. */
const hasAtMost = (text: string, codePointsMax: number): boolean =>
  text.length <= codePointsMax || (text.length <= 2 * codePointsMax && [...text].length <= codePointsMax);

/** Returns a type guard for these words. */
export const isOneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): text is Word =>
    words.some((word) => word === text);

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Every character is equally likely. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => base62.charAt(randomInt(base62.length))).join('');
