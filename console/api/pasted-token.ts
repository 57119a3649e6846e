/** The token in a text as people paste it: with `Bearer`, the name of a header, an assignment, quotes, or characters that cannot be seen. */

export const readToken = (pasted: string): string => {
  const visible = pasted.replaceAll(unseen, '');
  // A line can be broken within a token.
  const [token] = form.exec(visible) ?? form.exec(visible.replaceAll(/\s+/g, '')) ?? [];
  return token ?? withoutWords(visible);
};

/** Other characters cannot be in a header. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

const form = /plant_[0-9A-Za-z]{36}/;

/** Those of the Unicode categories Cc and Cf that are no white space. */
const unseen = /(?!\s)[\p{Cc}\p{Cf}]/gu;

const withoutWords = (text: string): string =>
  text
    .replace(/^[\s"'`]*(?:(?:export\s+)?[\w-]+\s*[:=]\s*)?/, '')
    .replace(/^[\s"'`]*bearer\s+/i, '')
    .replace(/^[\s"'`]+|[\s"'`;,]+$/g, '');
