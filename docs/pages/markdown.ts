/** A table in Markdown. An empty cell stays empty. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');

export const code = (text: string): string => `\`${text}\``;

/** Text outside of code, in which Markdown would read `<name>` as HTML. */
export const escapeHtml = (text: string): string => text.replaceAll('<', '&lt;');

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
