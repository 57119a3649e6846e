/** Whether every database can store the value exactly: a string of at most `lengthMax` code points, without U+0000 or lone surrogates. */
export const isStorableText = (value: unknown, lengthMax: number): value is string =>
  typeof value === 'string' && hasAtMost(value, lengthMax) && !value.includes('\0') && value.isWellFormed();

/** Counts code points only if the UTF-16 length does not decide. */
const hasAtMost = (text: string, codePointsMax: number): boolean =>
  text.length <= codePointsMax || (text.length <= 2 * codePointsMax && [...text].length <= codePointsMax);

export const isOneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): text is Word =>
    words.some((word) => word === text);

/** A number with its unit, such as `1 row` and `2 rows`. */
export const countOf = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** With `A` to `Z` in lower case, and no other character changed, as `lower` of a database does. */
export const lowerAscii = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** With a comma between thousands. `toLocaleString` loads the tables of languages, which takes 1.5 ms of a start. */
export const withCommas = (count: number): string => `${count}`.replace(/\B(?=(?:\d{3})+$)/g, ',');

export const hasControl = (text: string): boolean => /\p{Cc}/u.test(text);

/** The text of these bytes, with the byte order mark if it begins with one. Undefined if they are not UTF-8. */
export const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
