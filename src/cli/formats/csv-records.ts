/**
 * The records of a CSV file. This file finds their ends and limits their size. csv-parse cannot: it does not count delimiters, takes
 * a minute for 3 MB of blank lines, and keeps them in the text of the next record. It parses the records with quotes; the others are
 * split at their commas, which is ten times faster.
 *
 * A file is split as bytes, so that a record that is not UTF-8 has its own error and keeps its bytes. Quotes, commas and line ends are
 * ASCII, which UTF-8 has nowhere else. The bytes are a string with a character for each, which is faster than a Buffer.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { OperatorError } from '../../base/error.ts';
import { type CsvFields, refuseHeader } from './csv-header.ts';
import { decodeUtf8 } from './utf8.ts';

interface RecordBytes {
  /** The line on which the record begins, from 1. */
  readonly line: number;
  /** Without the end of its last line. */
  readonly bytes: string;
}

export interface CsvRecord extends RecordBytes {
  /** Undefined when the record is not UTF-8. */
  readonly fields: CsvFields | undefined;
}

/** Records in batches, without empty ones, in bounded memory. Throws OperatorError when the rest is not CSV. */
export async function* readRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CsvRecord[]> {
  const splitter = createSplitter();
  for await (const { buffer, byteOffset, byteLength } of bytes)
    yield parseRecords(splitter.split(Buffer.from(buffer, byteOffset, byteLength).toString('latin1')));
  yield parseRecords(splitter.end());
}

const malformed = (line: number, reason: string): OperatorError =>
  new OperatorError(`The file is not valid CSV from line ${line} on: ${reason}.`);

/** Splits a stream of bytes after each line end that is not in quotes. `end` returns the last record, if it has no line end. */
const createSplitter = () => {
  /** The first bytes of a record, from earlier chunks. */
  let rest = '';
  let line = 1;
  let lineEnds = 0;
  let fields = 1;
  let isQuoted = false;
  let isHeader = true;

  const tooLarge = (size: string, bytes: string): OperatorError => {
    const cause = isQuoted ? ', since a quote is not closed' : '';
    return isHeader
      ? refuseHeader(`has more than ${size}${cause}`, bytes)
      : malformed(line, `the record has more than ${size}${cause}`);
  };

  const checkLength = (bytes: string): void => {
    if (bytes.length > recordBytesMax) throw tooLarge(`${recordBytesMax} bytes`, bytes);
  };

  const split = (chunk: string): RecordBytes[] => {
    const records: RecordBytes[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk.charCodeAt(at);
      if (byte === quote) {
        isQuoted = !isQuoted;
      } else if (byte === newline) {
        lineEnds += 1;
        if (isQuoted) continue;
        const bytes = withoutReturn(rest + chunk.slice(start, at));
        checkLength(bytes);
        if (bytes !== '') {
          records.push({ line, bytes });
          isHeader = false;
        }
        line += lineEnds;
        [rest, start, lineEnds, fields] = ['', at + 1, 0, 1];
      } else if (byte === comma && !isQuoted) {
        fields += 1;
        if (fields > recordFieldsMax) throw tooLarge(`${recordFieldsMax} fields`, rest + chunk.slice(start, at));
      }
    }
    rest += chunk.slice(start);
    checkLength(rest);
    return records;
  };
  return { split, end: (): RecordBytes[] => (rest === '' ? [] : [{ line, bytes: rest }]) };
};

const [quote, comma, newline] = [0x22, 0x2c, 0x0a];

const withoutReturn = (bytes: string): string => (bytes.endsWith('\r') ? bytes.slice(0, -1) : bytes);

const parseRecords = (records: readonly RecordBytes[]): CsvRecord[] => {
  const texts = records.map(({ bytes }) => (isAscii(bytes) ? bytes : decodeUtf8(Buffer.from(bytes, 'latin1'))));
  const quoted = parseQuoted(
    records.flatMap(({ line }, at) => {
      const text = texts[at];
      return text?.includes('"') ? [{ line, text }] : [];
    }),
  ).values();
  const fieldsOf = (text: string): CsvFields =>
    text.includes('"') ? (quoted.next().value ?? []) : text.split(',').map((field) => field || undefined);
  return records.flatMap((record, at) => {
    const text = texts[at];
    const fields = text === undefined ? undefined : fieldsOf(text);
    // A spreadsheet writes an empty row as commas.
    return fields?.every((field) => field === undefined) ? [] : [{ ...record, fields }];
  });
};

const isAscii = (bytes: string): boolean => !/[\x80-\xff]/.test(bytes);

const parseQuoted = (records: readonly { readonly line: number; readonly text: string }[]): CsvFields[] => {
  try {
    return parse(records.map(({ text }) => text).join('\n'), {
      record_delimiter: '\n',
      relax_column_count: true,
      cast: (field, { quoting }) => (field === '' && !quoting ? undefined : field),
    });
  } catch (error) {
    const reason = error instanceof CsvError ? reasons[error.code] : undefined;
    if (!(error instanceof CsvError) || reason === undefined) throw error;
    throw malformed(records[Number(error['records'])]?.line ?? 1, reason);
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
 * @limit Processes | Bytes in a record of a CSV file | The file is refused.
 */
const recordBytesMax = 1024 * 1024;

/**
 * As many as a spreadsheet has columns.
 *
 * @limit Processes | Fields in a record of a CSV file | The file is refused.
 */
const recordFieldsMax = 16_384;
