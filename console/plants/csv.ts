/** Reads CSV (RFC 4180). A field without quotes that is empty is undefined, so that a missing tag and an empty one differ. */

export interface CsvRow {
  /** The line on which the row begins. */
  readonly line: number;
  readonly fields: readonly (string | undefined)[];
}

/** Throws an Error with the line at which the text is not CSV. */
export const readCsv = (text: string): readonly CsvRow[] => {
  const rows: CsvRow[] = [];
  let fields: (string | undefined)[] = [];
  let line = 1;
  let start = 0;
  let at = 0;
  while (at < text.length || fields.length > 0) {
    const found = readField(text, at);
    if (!found) throw new Error(`Line ${line + countLines(text.slice(start, at))} is not valid CSV.`);
    const { field, end } = found;
    fields.push(field);
    at = found.next;
    if (end === ',') continue;
    if (fields.some((one) => one !== undefined)) rows.push({ line, fields });
    line += countLines(text.slice(start, at));
    start = at;
    fields = [];
    if (end === '') break;
  }
  return rows;
};

/** The field at this position, and what follows it: a comma, the end of the line, or the end of the text. */
const readField = (text: string, at: number) => {
  const isQuoted = text[at] === '"';
  rest.lastIndex = isQuoted ? endOfQuoted(text, at + 1) : at;
  const from = rest.lastIndex;
  const [, plain = '', end] = rest.exec(text) ?? [];
  if (end === undefined || (isQuoted && plain !== '')) return undefined;
  const field = isQuoted ? text.slice(at + 1, from - 1).replaceAll('""', '"') : plain || undefined;
  return { field, end, next: rest.lastIndex };
};

const rest = /([^",\r\n]*)(,|\r?\n|$)/y;

/** Behind the quote that ends the field, or behind the text without one. A regular expression would need a stack as long as the field. */
const endOfQuoted = (text: string, from: number): number => {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  return (quote === -1 ? text.length : quote) + 1;
};

const countLines = (text: string): number => text.split('\n').length - 1;
