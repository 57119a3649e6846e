/**
 * CSV by RFC 4180, in UTF-8, with a header that names the columns. A tag that is absent is an empty field; a text that is
 * empty is an empty field in quotes.
 */
import { CsvError } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { int64FromCanonical } from '../base/int64.ts';
import { bodyBytesMax } from '../domain/error.ts';
import { type CsvRecord, malformed, readRecords, withoutLineEnd } from './csv-records.ts';
import type { PlantFormat, Row } from './plant-format.ts';

export const csv: PlantFormat = {
  head: `id,name,tag,createdAt,updatedAt\r\n`,
  encode: (records) =>
    stringify(
      records.map(({ id, name, tag, createdAt, updatedAt }) => [id, name, tag, createdAt, updatedAt]),
      { record_delimiter: '\r\n', quoted_string: true },
    ),
  async *readRows(bytes) {
    let header: Header | undefined;
    let line = 1;
    try {
      for await (const records of readRecords(bytes, () => line)) {
        const rows: Row[] = [];
        for (const { record, blankLines, text, lines } of records) {
          line += blankLines;
          if (header) rows.push(toRow(header, line, record, text));
          else header = readHeader(record, text);
          line += lines;
        }
        yield rows;
      }
    } catch (error) {
      throw asAppError(error, line);
    }
    if (!header) throw malformed('The file is empty; it must begin with a header.');
  },
};

interface Header {
  readonly columns: readonly string[];
  readonly raw: string;
}

const readHeader = (record: CsvRecord['record'], text: string): Header => {
  const columns = record.map((name) => name ?? '');
  for (const name of ['id', 'name']) {
    if (!columns.includes(name)) throw malformed(`The header of the file has no column ${name}.`);
  }
  if (new Set(columns).size < columns.length) throw malformed('The header of the file names a column twice.');
  return { columns, raw: withoutLineEnd(text) };
};

const toRow = ({ columns, raw: head }: Header, line: number, record: CsvRecord['record'], text: string): Row => ({
  line,
  raw: () => Buffer.from(withoutLineEnd(text)),
  head,
  parse: () => {
    if (Buffer.byteLength(text) > bodyBytesMax) throw malformed(`The row is longer than ${bodyBytesMax} bytes.`);
    if (record.length !== columns.length) {
      throw malformed(`The row has ${record.length} fields, and the header ${columns.length}.`);
    }
    const value: Record<string, unknown> = {};
    for (const [at, field] of record.entries()) {
      const name = columns[at] ?? '';
      if (field !== undefined) value[name] = name === 'id' ? (int64FromCanonical(field) ?? field) : field;
    }
    return value;
  },
});

const asAppError = (error: unknown, line: number): unknown =>
  error instanceof CsvError
    ? // The library counts from where it has begun to read.
      malformed(`The file is no CSV from line ${line} on: ${error.message.replace(/ at line \d+/, '')}.`)
    : error;
