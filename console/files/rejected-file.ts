/** The rejected rows of a file, as a file that can be mended and imported. */

export interface RejectedRow {
  readonly line: number;
  readonly lines: number;
}

/** `hasHeader` is whether the first line has the names of the columns. */
export const rejectedFile = (text: string, rows: readonly RejectedRow[], hasHeader: boolean): string => {
  const lines = text.split('\n');
  const header = hasHeader ? lines.slice(0, 1) : [];
  const rejected = rows
    .toSorted((a, b) => a.line - b.line)
    .flatMap(({ line, lines: count }) => lines.slice(line - 1, line - 1 + count));
  return [...header, ...rejected].map((line) => `${line}\n`).join('');
};

/** Whether a file has CSV, by its name, and otherwise by its first character. */
export const isCsv = (name: string, beginning: string): boolean =>
  /\.(?:csv|tsv|txt)$/i.test(name) || !(/\.(?:ndjson|jsonl)$/i.test(name) || beginning.trimStart().startsWith('{'));
