/**
 * The records of a CSV file (RFC 4180). A file is split as bytes, so that a record that is not UTF-8 has its own error and keeps its bytes.
 * Quotes, delimiters and line ends are ASCII, which UTF-8 has nowhere else. The bytes are a string with a character for each, which is faster
 * than a Buffer.
 */
import { OperatorError } from '../../base/error.ts';
import { decodeUtf8 } from '../../base/text.ts';
import { type CsvFields, delimiterOf, refuseHeader } from './csv-header.ts';

export interface CsvRecord {
  readonly line: number;
  readonly lines: number;
  /** Without the end of its last line. */
  readonly bytes: string;
  /** Undefined when the record is not UTF-8. */
  readonly fields: CsvFields | undefined;
}

/** Records in batches, without empty ones, in bounded memory. Throws OperatorError when the rest is not CSV. */
export async function* readRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CsvRecord[]> {
  const readChunk = createReader();
  for await (const { buffer, byteOffset, byteLength } of bytes)
    yield readChunk(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'), { isLast: false });
  yield readChunk('', { isLast: true });
}

/** Returns a function that reads the records that end in the next chunk. */
const createReader = () => {
  /** The beginning of a record from earlier chunks, the fields in it, and where they end. */
  let rest = '';
  let fields: (string | undefined)[] = [];
  let at = 0;
  let line = 1;
  let isHeader = true;
  /** Known once the first line that has text is complete. */
  let forms: ReturnType<typeof formsOf> | undefined;

  const malformed = (reason: string): OperatorError =>
    new OperatorError(`The file is not valid CSV from line ${line} on: ${reason}.`);

  const tooLarge = (size: string, record: string, cause = ''): OperatorError => {
    const problem = `has more than ${size}${cause}`;
    return isHeader ? refuseHeader(problem, record) : malformed(`the record ${problem}`);
  };

  return (chunk: string, { isLast }: { readonly isLast: boolean }): CsvRecord[] => {
    const records: CsvRecord[] = [];
    let text = rest + chunk;
    if (!forms) {
      const blank = blankLinesIn(text);
      line += blank.split('\n').length - 1;
      text = text.slice(blank.length);
      const end = text.indexOf('\n');
      if (end === -1 && !isLast && text.length <= recordBytesMax) {
        rest = text;
        return records;
      }
      forms = formsOf(delimiterOf(end === -1 ? text : text.slice(0, end)));
    }
    const { delimiter, beginning } = forms;
    const form = isLast ? forms.lastField : forms.field;
    let start = 0;
    form.lastIndex = at;
    for (; at < text.length || (isLast && start < at); at = form.lastIndex) {
      const found = form.exec(text);
      if (!found) break;
      const [, quoted, plain, end = ''] = found;
      fields.push(quoted === undefined ? plain || undefined : quoted.replaceAll('""', '"'));
      if (fields.length > recordFieldsMax) throw tooLarge(`${recordFieldsMax} fields`, text.slice(start, at));
      if (end === delimiter) continue;
      const bytes = text.slice(start, form.lastIndex - end.length);
      if (bytes.length > recordBytesMax) throw tooLarge(`${recordBytesMax} bytes`, bytes);
      const lines = bytes.split('\n').length;
      // A spreadsheet writes an empty row as delimiters.
      if (fields.some((one) => one !== undefined)) {
        records.push({ line, lines, bytes, fields: toTexts(fields, bytes) });
        isHeader = false;
      }
      line += lines;
      start = form.lastIndex;
      fields = [];
    }
    const open = text.slice(at);
    rest = text.slice(start);
    at -= start;
    if (rest.length > recordBytesMax)
      throw tooLarge(`${recordBytesMax} bytes`, rest, unclosed.test(open) ? ', since a quote is not closed' : '');
    if (isLast ? open !== '' : !beginning.test(open)) throw malformed(reasonOf(open, delimiter));
    return records;
  };
};

/** The first lines, up to the first one that has more than delimiters and white space. */
const blankLinesIn = (text: string): string => {
  const first = text.search(/[^\s,;]/);
  return text.slice(0, text.lastIndexOf('\n', first === -1 ? undefined : first) + 1);
};

/**
 * The expressions for the fields between these delimiters: a field, with the delimiter or the end of the line behind it, and what can begin a
 * field that ends in a later chunk. No part of an expression backtracks, so each takes linear time.
 */
const formsOf = (delimiter: string) => {
  const formOfField = (end: string): RegExp =>
    new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^"${delimiter}\\n]*?))(${end})`, 'y');
  return {
    delimiter,
    field: formOfField(`${delimiter}|\\r?\\n`),
    lastField: formOfField(`${delimiter}|\\r?\\n|$`),
    beginning: new RegExp(`^(?:[^"${delimiter}\\n]*|"[^"]*(?:""[^"]*)*(?:"\\r?)?)$`),
  };
};

const unclosed = /^"[^"]*(?:""[^"]*)*$/;

/** Why a field that begins here is malformed. */
const reasonOf = (text: string, delimiter: string): string => {
  if (!text.startsWith('"')) return 'a quote is in a field that does not begin with one';
  if (unclosed.test(text)) return 'a quote is not closed';
  return `a closing quote is not followed by a ${delimiterNames[delimiter] ?? 'comma'} or a line end`;
};

const delimiterNames: Readonly<Record<string, string>> = { ';': 'semicolon', '\t': 'tab' };

/** The fields as texts. Undefined when the record is not UTF-8. */
const toTexts = (fields: CsvFields, bytes: string): CsvFields | undefined => {
  if (!/[\x80-\xff]/.test(bytes)) return fields;
  if (decodeUtf8(Buffer.from(bytes, 'latin1')) === undefined) return undefined;
  return fields.map((one) => one && Buffer.from(one, 'latin1').toString());
};

/**
 * A quote without an end would take in the rest of the file.
 *
 * @limit Processes | Bytes in a record of a CSV file | the file is refused
 */
const recordBytesMax = 1024 * 1024;

/**
 * As many as a spreadsheet has columns.
 *
 * @limit Processes | Fields in a record of a CSV file | the file is refused
 */
const recordFieldsMax = 16_384;
