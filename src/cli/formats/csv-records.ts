/** The records of a CSV stream. Up to the first quote, lines are split at commas; csv-parse reads the rest, ten times slower. */
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';

export interface CsvRecord {
  /** An empty field without quotes is absent. */
  readonly fields: readonly (string | undefined)[];
  /** The number of blank lines before the record. */
  readonly blankLines: number;
  /** The text in the file, with the end of its last line. */
  readonly text: string;
  readonly lines: number;
}

/** Records in batches, in bounded memory. Throws TextDecoder's error for bytes that are not UTF-8, and csv-parse's CsvError. */
export async function* readRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CsvRecord[]> {
  const texts = decodeUtf8(bytes);
  let rest = '';
  for await (const text of texts) {
    rest += text;
    if (beyondSplitting.test(rest) || rest.length > recordCharactersMax) {
      yield* parseRecords(rest, texts);
      return;
    }
    const end = endOfRecords(rest);
    if (end > 0) yield splitRecords(rest.slice(0, end));
    rest = rest.slice(end);
  }
  if (rest.endsWith('\r')) yield* parseRecords(rest, texts);
  else if (rest !== '') yield splitRecords(rest);
}

export const withoutLineEnd = (text: string): string => text.replace(/\r?\n$|\r$/, '');

/** A quote, or a CR without LF. A CR at the end may be half of a CRLF. */
const beyondSplitting = /"|\r(?!\n|$)/;

/** The index after the last line that is not blank. Blank lines after it belong to the next record. */
const endOfRecords = (text: string): number => {
  let end = text.lastIndexOf('\n');
  while (end >= 0 && '\r\n'.includes(text.charAt(end))) end -= 1;
  return end < 0 ? 0 : text.indexOf('\n', end) + 1;
};

const splitRecords = (text: string): CsvRecord[] => {
  const records: CsvRecord[] = [];
  let blankLines = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    const line = withoutLineEnd(text.slice(start, end));
    if (line === '') blankLines += 1;
    else {
      const fields = line.split(',').map((field) => (field === '' ? undefined : field));
      records.push({ fields, blankLines, text: text.slice(start, end), lines: 1 });
      blankLines = 0;
    }
    start = end;
  }
  return records;
};

async function* parseRecords(first: string, texts: AsyncGenerator<string>): AsyncGenerator<CsvRecord[]> {
  const parser = parse({
    raw: true,
    max_record_size: recordCharactersMax,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    cast: (field, { quoting }) => (field === '' && !quoting ? undefined : field),
  });
  const source = async function* () {
    yield first;
    yield* texts;
  };
  // An error of the source destroys the parser, which throws it to its reader.
  const parsed: AsyncIterable<{ record: CsvRecord['fields']; raw: string }> = pipeline(source, parser, () => {});
  let batch: CsvRecord[] = [];
  for await (const { record, raw } of parsed) {
    // The raw text begins with the blank lines before the record, a character each: of a CRLF only the CR.
    const text = raw.replace(/^[\r\n]+/, '');
    batch.push({ fields: record, blankLines: raw.length - text.length, text, lines: countLineEnds(text) });
    if (batch.length === batchRows) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

const batchRows = 1000;

async function* decodeUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/**
 * A quote without an end would take in the rest of the file, so the parser stops here.
 *
 * @limit Processes | Characters in a record of a CSV file | The file is refused.
 */
const recordCharactersMax = 1024 * 1024;

/** Of a CRLF that ends a record the parser returns only the CR. */
const countLineEnds = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;
