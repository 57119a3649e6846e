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
  const form = new RegExp(field, 'y');
  while (form.lastIndex < text.length || fields.length > 0) {
    const at = form.lastIndex;
    const found = form.exec(text);
    if (!found) throw new Error(`Line ${line + countLines(text.slice(start, at))} is not valid CSV.`);
    const [, quoted, plain, end] = found;
    fields.push(quoted === undefined ? plain || undefined : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (fields.some((one) => one !== undefined)) rows.push({ line, fields });
    line += countLines(text.slice(start, form.lastIndex));
    start = form.lastIndex;
    fields = [];
    if (end === '') break;
  }
  return rows;
};

/** A field, and what follows it: a comma, the end of the line, or the end of the text. */
const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/;

const countLines = (text: string): number => text.split('\n').length - 1;
