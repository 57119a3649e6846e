/**
 * CSV by RFC 4180, in UTF-8, with a header that names the columns. A tag that is absent is an empty field; a text that is
 * empty is an empty field in quotes.
 */
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { AppError } from '../domain/error.ts';
import { int64FromCanonical } from '../domain/int64.ts';
import { bodyBytesMax } from '../http/body.ts';
import type { PlantFormat, Row } from './plant-format.ts';

export const csv: PlantFormat = {
  head: `id,name,tag,createdAt,updatedAt\r\n`,
  encode: (records) =>
    stringify(
      records.map(({ id, name, tag, createdAt, updatedAt }) => [id, name, tag, createdAt, updatedAt]),
      { record_delimiter: '\r\n', quoted_string: true },
    ),
  async *readRows(bytes) {
    const parser = parse({
      bom: true,
      raw: true,
      max_record_size: recordCharactersMax,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      // An empty field without quotes is no text at all.
      cast: (field, { quoting }) => (field === '' && !quoting ? undefined : field),
    });
    let header: Header | undefined;
    let line = 1;
    try {
      for await (const records of inBatches(feed(parser, bytes))) {
        const rows: Row[] = [];
        for (const { record, raw } of records) {
          // Blank lines before a record come with it.
          const text = raw.replace(/^[\r\n]+/, '');
          line += countLineEnds(raw.slice(0, raw.length - text.length));
          if (header) rows.push(toRow(header, line, record, text));
          else header = readHeader(record, text);
          line += countLineEnds(text);
        }
        yield rows;
      }
    } catch (error) {
      throw asAppError(error, line);
    }
    if (!header) throw malformed('The file is empty; it must begin with a header.');
  },
};

interface CsvRecord {
  readonly record: readonly (string | undefined)[];
  readonly raw: string;
}

/** Hands the text to the parser as it asks for it; bytes that are not UTF-8 break it off. */
const feed = (parser: ReturnType<typeof parse>, bytes: AsyncIterable<Uint8Array>): AsyncIterable<CsvRecord> => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw malformed(`The file is not UTF-8, near line ${parser.info.lines + 1}.`);
    }
  };
  const write = async (): Promise<void> => {
    for await (const chunk of bytes) {
      if (!parser.write(decode(chunk))) await new Promise((resolve) => parser.once('drain', resolve));
    }
    parser.end(decode());
  };
  write().catch((error) => parser.destroy(error));
  return parser;
};

const batchRows = 1000;

async function* inBatches(records: AsyncIterable<CsvRecord>): AsyncGenerator<CsvRecord[]> {
  let batch: CsvRecord[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length === batchRows) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

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

/** Of the line end CRLF the parser gives the CR alone, when it ends a record. */
const countLineEnds = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;

const withoutLineEnd = (text: string): string => text.replace(/\r?\n$|\r$/, '');

/** Past this the parser gives up on the file: a quote that never ends would take in all of it. */
const recordCharactersMax = 1024 * 1024;

const asAppError = (error: unknown, line: number): unknown =>
  error instanceof CsvError ? malformed(`The file is no CSV from line ${line} on: ${error.message}.`) : error;

const malformed = (message: string): AppError => new AppError('malformed_body', message);
