/**
 * CSV by RFC 4180, in UTF-8, with a header. An absent member is an empty field, an empty text one in quotes.
 *
 * This file finds the ends of the records and limits their size. csv-parse cannot: it does not count delimiters, takes a minute for
 * 3 MB of blank lines, and keeps them in the text of the next record. It parses the records with quotes; the others are split at
 * their commas, which is ten times faster.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { OperatorError } from '../../base/error.ts';
import { bodyBytesMax } from '../../domain/error.ts';
import { countOf } from '../output.ts';
import { columns, type PlantFormat, type Row, readText, requiredColumns, toPlant } from './format.ts';

export const csv: PlantFormat = {
  head: `${columns.join(',')}\r\n`,
  encode: (records) =>
    stringify(
      records.map((record) => columns.map((column) => record[column])),
      { record_delimiter: '\r\n', quoted_string: true },
    ),
  async *readRows(bytes) {
    let header: Header | undefined;
    for await (const records of readRecords(bytes)) {
      const rows: Row[] = [];
      for (const record of records) {
        if (header) rows.push(createRow(header, record));
        else header = readHeader(record);
      }
      yield rows;
    }
    if (!header) throw new OperatorError('The file is empty; it must begin with a header.');
  },
};

type Header = ReturnType<typeof readHeader>;

const readHeader = ({ fields, text }: CsvRecord) => {
  const names = fields.map((name) => name ?? '');
  const missing = requiredColumns.find((column) => !names.includes(column));
  if (missing !== undefined) throw new OperatorError(`The header has no column ${missing}.`);
  if (new Set(names).size < names.length) throw new OperatorError('The header has the same column twice.');
  return { names, head: text };
};

const createRow = ({ names, head }: Header, { line, fields, text }: CsvRecord): Row => ({
  line,
  raw: () => Buffer.from(text),
  head,
  parse: () => {
    if (Buffer.byteLength(text) > bodyBytesMax) {
      throw new OperatorError(`The row is longer than ${bodyBytesMax} bytes.`);
    }
    if (fields.length !== names.length) {
      throw new OperatorError(`The row has ${countOf(fields.length, 'field')}; the header has ${names.length}.`);
    }
    const members = names.flatMap((name, at) => {
      const field = fields[at];
      return field === undefined ? [] : [[name, readText(name, field)]];
    });
    return toPlant(Object.fromEntries(members));
  },
});

/** The text of a record, without the end of its last line, and the line on which it begins, from 1. */
type RecordText = Pick<Row, 'line'> & { readonly text: string };

interface CsvRecord extends RecordText {
  /** An empty field without quotes is absent. */
  readonly fields: readonly (string | undefined)[];
}

/** Records in batches, without blank lines, in bounded memory. Throws OperatorError when the rest is not CSV in UTF-8. */
async function* readRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CsvRecord[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const splitter = createSplitter();
  let line = 1;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new OperatorError(`The file is not valid UTF-8 near line ${line}.`);
    }
  };
  for await (const chunk of bytes) {
    const texts = splitter.split(decode(chunk));
    line = texts.at(-1)?.line ?? line;
    yield parseRecords(texts);
  }
  yield parseRecords([...splitter.split(decode()), ...splitter.end()]);
}

const malformed = (line: number, reason: string): OperatorError =>
  new OperatorError(`The file is not valid CSV from line ${line} on: ${reason}.`);

/** Splits a stream of texts after each line end that is not in quotes. `end` returns the last record, if it has no line end. */
const createSplitter = () => {
  /** The first characters of a record, from earlier texts. */
  let rest = '';
  let line = 1;
  let lineEnds = 0;
  let fields = 1;
  let isQuoted = false;

  const throwIfLonger = (characters: number): void => {
    if (characters <= recordCharactersMax) return;
    const cause = isQuoted ? ', since a quote is not closed' : '';
    throw malformed(line, `the record has more than ${recordCharactersMax} characters${cause}`);
  };

  const split = (text: string): RecordText[] => {
    const records: RecordText[] = [];
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at);
      if (character === quote) {
        isQuoted = !isQuoted;
      } else if (character === newline) {
        lineEnds += 1;
        if (isQuoted) continue;
        const record = withoutReturn(rest + text.slice(start, at));
        throwIfLonger(record.length);
        if (record !== '') records.push({ line, text: record });
        line += lineEnds;
        [rest, start, lineEnds, fields] = ['', at + 1, 0, 1];
      } else if (character === comma && !isQuoted) {
        fields += 1;
        if (fields > recordFieldsMax) throw malformed(line, `the record has more than ${recordFieldsMax} fields`);
      }
    }
    rest += text.slice(start);
    throwIfLonger(rest.length);
    return records;
  };
  return { split, end: (): RecordText[] => (rest === '' ? [] : [{ line, text: rest }]) };
};

const [quote, comma, newline] = [0x22, 0x2c, 0x0a];

const withoutReturn = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text);

const parseRecords = (texts: readonly RecordText[]): CsvRecord[] => {
  const quoted = parseQuoted(texts.filter(hasQuotes)).values();
  return texts.map((one) => ({ ...one, fields: hasQuotes(one) ? (quoted.next().value ?? []) : splitFields(one) }));
};

const hasQuotes = ({ text }: RecordText): boolean => text.includes('"');

const splitFields = ({ text }: RecordText) => text.split(',').map((field) => (field === '' ? undefined : field));

const parseQuoted = (texts: readonly RecordText[]): CsvRecord['fields'][] => {
  try {
    return parse(texts.map(({ text }) => text).join('\n'), {
      record_delimiter: '\n',
      relax_column_count: true,
      cast: (field, { quoting }) => (field === '' && !quoting ? undefined : field),
    });
  } catch (error) {
    const reason = error instanceof CsvError ? reasons[error.code] : undefined;
    if (!(error instanceof CsvError) || reason === undefined) throw error;
    throw malformed(texts[Number(error['records'])]?.line ?? 1, reason);
  }
};

/** By the codes of csv-parse, whose messages repeat the file. */
const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is not followed by a comma or a line end',
  INVALID_OPENING_QUOTE: 'a quote is in a field that does not begin with one',
};

/**
 * A quote without an end would take in the rest of the file.
 *
 * @limit Processes | Characters in a record of a CSV file | The file is refused.
 */
const recordCharactersMax = 1024 * 1024;

/**
 * As many as a spreadsheet has columns.
 *
 * @limit Processes | Fields in a record of a CSV file | The file is refused.
 */
const recordFieldsMax = 16_384;
