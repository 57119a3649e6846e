/** CSV by RFC 4180, in UTF-8, with a header. An absent member is an empty field, an empty text one in quotes. */
import { stringify } from 'csv-stringify/sync';
import { codeOf, OperatorError } from '../../base/error.ts';
import { bodyBytesMax } from '../../domain/error.ts';
import { countOf } from '../output.ts';
import { type CsvRecord, MalformedCsv, readRecords } from './csv-records.ts';
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
    let line = 1;
    try {
      for await (const records of readRecords(bytes)) {
        const rows: Row[] = [];
        for (const record of records) {
          line = record.line;
          if (header) rows.push(createRow(header, record));
          else header = readHeader(record);
        }
        yield rows;
      }
    } catch (error) {
      throw fileError(error, line);
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

/** An OperatorError for a fault of the file, which is valid up to about this line; any other error as it is. */
const fileError = (error: unknown, line: number): unknown => {
  if (codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new OperatorError(`The file is not valid UTF-8 near line ${line}.`);
  if (!(error instanceof MalformedCsv)) return error;
  return new OperatorError(`The file is not valid CSV from line ${error.line} on: ${error.message}.`);
};
