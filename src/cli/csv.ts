/**
 * CSV by RFC 4180, in UTF-8, with a header that names the columns. A tag that is absent is an empty field; a text that is
 * empty is an empty field in quotes.
 */
import { CsvError, type Info, parse } from 'csv-parse';
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
      info: true,
      raw: true,
      max_record_size: bodyBytesMax,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      // An empty field without quotes is no text at all.
      cast: (field, { quoting }) => (field === '' && !quoting ? undefined : field),
    });
    let header: Header | undefined;
    try {
      for await (const records of inBatches(feed(parser, bytes))) {
        const known: Header = header ?? readHeader(records.shift());
        header = known;
        yield records.map((record) => toRow(known, record));
      }
    } catch (error) {
      throw asAppError(error, parser.info.lines);
    }
    if (!header) throw malformed('The file is empty; it must begin with a header.');
  },
};

interface CsvRecord {
  readonly record: readonly (string | undefined)[];
  readonly raw: string;
  readonly info: Info;
}

/** Hands the text to the parser as it asks for it; bytes that are not UTF-8 break it off. */
const feed = (parser: ReturnType<typeof parse>, bytes: AsyncIterable<Uint8Array>): AsyncIterable<CsvRecord> => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw malformed(`The file is not UTF-8, near line ${parser.info.lines}.`);
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

const readHeader = (header: CsvRecord | undefined): Header => {
  const columns = (header?.record ?? []).map((name) => name ?? '');
  for (const name of ['id', 'name']) {
    if (!columns.includes(name)) throw malformed(`The header of the file has no column ${name}.`);
  }
  if (new Set(columns).size < columns.length) throw malformed('The header of the file names a column twice.');
  return { columns, raw: header?.raw ?? '' };
};

const toRow = ({ columns, raw: head }: Header, { record, raw, info }: CsvRecord): Row => ({
  line: info.lines - (raw.trimEnd().match(/\n/g)?.length ?? 0),
  raw: raw.replace(/\r?\n$/, ''),
  head,
  parse: () => {
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
  error instanceof CsvError ? malformed(`The file is no CSV from line ${line} on: ${error.message}.`) : error;

const malformed = (message: string): AppError => new AppError('malformed_body', message);
