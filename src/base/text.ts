/**
 * Whether `value` is a string that every database keeps faithfully: at most `lengthMax` code points, no U+0000 and no lone
 * surrogate.
 */
export const isKeepableText = (value: unknown, lengthMax: number): value is string =>
  typeof value === 'string' && hasAtMost(value, lengthMax) && !value.includes('\0') && value.isWellFormed();

/** Counts code points only where the UTF-16 length leaves the answer open. */
const hasAtMost = (text: string, codePointsMax: number): boolean => {
  if (text.length <= codePointsMax) return true;
  if (text.length > 2 * codePointsMax) return false;
  let codePoints = 0;
  for (const _ of text) codePoints += 1;
  return codePoints <= codePointsMax;
};
