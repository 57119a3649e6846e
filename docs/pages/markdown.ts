/** A paragraph, in lines of at most 140 columns. Code is not divided. */
export const paragraph = (text: string, indent = ''): string => {
  const lines: string[] = [];
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const line = lines.pop();
    const longer = line === undefined ? word : `${line} ${word}`;
    if (longer.length <= columnsMax || line === undefined) lines.push(longer);
    else lines.push(line, `${indent}${word}`);
  }
  return lines.join('\n');
};

export const columnsMax = 140;

/** An item of a list. */
export const item = (text: string): string => paragraph(`- ${text}`, '  ');

export const code = (text: string): string => `\`${text}\``;

/** Text outside of code, in which Markdown would read `<name>` as HTML. */
export const escapeHtml = (text: string): string => text.replaceAll('<', '&lt;');
