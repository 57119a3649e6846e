/** Text from outside, in messages and in output. Characters that could control a terminal or break a line are escaped, as in JSON. */

/** The text in quotes, as JSON shows it. A longer one is cut after so many code points. */
export const excerpt = (text: string, codePointsMax: number): string => {
  // A code point has at most two units.
  const start = [...text.slice(0, 2 * codePointsMax + 2)];
  return JSON.stringify(start.length > codePointsMax ? `${start.slice(0, codePointsMax).join('')}…` : text);
};

/**
 * Escapes, as JSON does, each character that could control a terminal, break a line or reorder text: those of the Unicode categories
 * Cc, Cf, Zl and Zp (https://www.unicode.org/reports/tr44/#General_Category_Values). In a JSON text the values do not change.
 */
export const escapeControls = (text: string): string => text.replace(controls, escapeUnits);

/** Escapes as `escapeControls` does, but keeps line ends and tabs. */
export const escapeAllButLineEnds = (text: string): string => text.replace(controlsInLines, escapeUnits);

const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const controlsInLines = /(?!\r?\n|\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * An addition to a message that refuses a text without repeating it: it shows the characters that a reader of the text cannot see.
 * It begins with a space, or is empty if there are none.
 */
export const showInvisible = (text: string): string => {
  const found = [...new Set(text.match(invisible))].slice(0, shownMax).map(escapeUnits);
  if (found.length > 0)
    return ` The value contains ${found.join(', ')}${text.includes('\r') ? ', as after a line of a Windows file' : ''}.`;
  return text === text.trim() ? '' : ' The value begins or ends with a space.';
};

/** Control characters, and all spaces but the usual one. */
const invisible = /(?! )[\p{Cc}\p{Cf}\p{Z}]/gu;
const shownMax = 5;

/** JSON escapes a character above U+FFFF as two units of UTF-16. */
const escapeUnits = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
