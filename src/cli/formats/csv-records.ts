/**
 * The records of a CSV file (RFC 4180). A file is split as bytes, so that a record that is not UTF-8 has its own error and keeps its bytes.
 * Quotes, commas and line ends are ASCII, which UTF-8 has nowhere else. The bytes are a string with a character for each, which is faster
 * than a Buffer.
 */
import { OperatorError } from '../../base/error.ts';
import { decodeUtf8 } from '../../base/text.ts';
import { type CsvFields, refuseHeader } from './csv-header.ts';

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
    yield splitter.split(Buffer.from(buffer, byteOffset, byteLength).toString('latin1')).flatMap(parseRecord);
  yield splitter.end().flatMap(parseRecord);
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

const parseRecord = ({ line, bytes }: RecordBytes): CsvRecord[] => {
  const text = isAscii(bytes) ? bytes : decodeUtf8(Buffer.from(bytes, 'latin1'));
  const fields = text === undefined ? undefined : readFields(text, line);
  // A spreadsheet writes an empty row as commas.
  return fields?.every((field) => field === undefined) ? [] : [{ line, bytes, fields }];
};

const isAscii = (bytes: string): boolean => !/[\x80-\xff]/.test(bytes);

const readFields = (text: string, line: number): CsvFields => {
  const fields: (string | undefined)[] = [];
  const rest = `,${text}`;
  field.lastIndex = 0;
  for (let at = 0; at < rest.length; at = field.lastIndex) {
    const found = field.exec(rest);
    if (!found) throw malformed(line, reasonOf(rest.slice(at + 1)));
    const [, quoted, plain] = found;
    fields.push(quoted === undefined ? plain || undefined : quoted.replaceAll('""', '"'));
  }
  return fields;
};

/** A comma and the field behind it. No part of the expression backtracks, so it takes linear time. */
const field = /,(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(?=,|$)/y;

/** Why a field that begins here is malformed. */
const reasonOf = (text: string): string => {
  if (!text.startsWith('"')) return 'a quote is in a field that does not begin with one';
  const isOpen = /^"[^"]*(?:""[^"]*)*$/.test(text);
  return isOpen ? 'a quote is not closed' : 'a closing quote is not followed by a comma or a line end';
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
