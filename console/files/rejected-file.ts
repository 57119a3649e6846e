/** The rejected rows of a file, as a file that can be mended and imported. */

import type { Format } from './export-file.ts';

export interface RejectedRow {
  readonly line: number;
  readonly lines: number;
}

/** The first line of CSV has the names of the columns. */
export const rejectedFile = (text: string, rows: readonly RejectedRow[], format: Format): string => {
  const lines = text.split('\n');
  const header = format === 'CSV' ? lines.slice(0, 1) : [];
  const rejected = rows
    .toSorted((a, b) => a.line - b.line)
    .flatMap(({ line, lines: count }) => lines.slice(line - 1, line - 1 + count));
  return [...header, ...rejected].map((line) => `${line}\n`).join('');
};

/** By the name of a file, and otherwise by its first character. */
export const formatOf = (name: string, beginning: string): Format => {
  if (/\.(?:csv|tsv|txt)$/i.test(name)) return 'CSV';
  return /\.(?:ndjson|jsonl)$/i.test(name) || beginning.trimStart().startsWith('{') ? 'NDJSON' : 'CSV';
};
