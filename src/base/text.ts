import { getRandomValues } from 'node:crypto';

/** Whether every database keeps the value faithfully: a string of at most `lengthMax` code points, with no U+0000 and no lone surrogate. */
export const isKeepableText = (value: unknown, lengthMax: number): value is string =>
  typeof value === 'string' && hasAtMost(value, lengthMax) && !value.includes('\0') && value.isWellFormed();

/** Counts code points only where the UTF-16 length leaves the answer open. */
const hasAtMost = (text: string, codePointsMax: number): boolean =>
  text.length <= codePointsMax || (text.length <= 2 * codePointsMax && [...text].length <= codePointsMax);

/** Narrows a text to one of these words. */
export const isOneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): text is Word =>
    words.some((word) => word === text);

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes past the last whole multiple of 62 are dropped, so that every character is equally likely. */
export const randomBase62 = (length: number): string => {
  const fairByteMax = 256 - (256 % base62.length);
  let text = '';
  while (text.length < length) {
    for (const byte of getRandomValues(new Uint8Array(length))) {
      if (byte < fairByteMax && text.length < length) text += base62.charAt(byte % base62.length);
    }
  }
  return text;
};
