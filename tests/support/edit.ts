/** The text with the lines of an edit, which are marked as in a diff. Throws unless its old lines are there exactly once. */
export const applyEdit = (text: string, lines: string): string => {
  const withSigns = (signs: string): string =>
    lines
      .split('\n')
      .filter((line) => line !== '' && signs.includes(line.slice(0, 1)))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const parts = `\n${text}`.split(`\n${withSigns(' -')}`);
  if (parts.length !== 2) throw new Error(`The document has this ${parts.length - 1} times:\n${withSigns(' -')}`);
  return parts.join(`\n${withSigns(' +')}`).slice(1);
};
