/**
 * The records of a CSV stream. This file finds their ends and limits their size, since csv-parse does not count delimiters. It
 * splits a record without quotes at its commas; csv-parse reads the others, ten times slower.
 */
import { CsvError, parse } from 'csv-parse/sync';

export interface CsvRecord {
  /** The line on which the record begins, from 1. */
  readonly line: number;
  /** An empty field without quotes is absent. */
  readonly fields: readonly (string | undefined)[];
  /** The text in the file, without the end of its last line. */
  readonly text: string;
}

/** The rest of the file, from this line on, is not CSV. `message` is the reason, as the end of a sentence. */
export class MalformedCsv extends Error {
  override readonly name = 'MalformedCsv';

  constructor(
    readonly line: number,
    reason: string,
  ) {
    super(reason);
  }
}

/** Records in batches, without blank lines, in bounded memory. Throws MalformedCsv, and TextDecoder's error for bytes that are not UTF-8. */
export async function* readRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CsvRecord[]> {
  const cutter = createCutter();
  for await (const text of decodeUtf8(bytes)) yield parseRecords(cutter.cut(text));
  yield parseRecords(cutter.end());
}

type Cut = Pick<CsvRecord, 'line' | 'text'>;

/** Cuts a stream of texts after each line end that is not in quotes. `end` returns the last record, if it has no line end. */
const createCutter = () => {
  /** The first characters of a record, from earlier texts. */
  let rest = '';
  let line = 1;
  let lineEnds = 0;
  let fields = 1;
  let isQuoted = false;

  const throwIfLonger = (characters: number): void => {
    if (characters <= recordCharactersMax) return;
    const cause = isQuoted ? ', since a quote is not closed' : '';
    throw new MalformedCsv(line, `the record has more than ${recordCharactersMax} characters${cause}`);
  };

  const cut = (text: string): Cut[] => {
    const cuts: Cut[] = [];
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
        if (record !== '') cuts.push({ line, text: record });
        line += lineEnds;
        [rest, start, lineEnds, fields] = ['', at + 1, 0, 1];
      } else if (character === comma && !isQuoted) {
        fields += 1;
        if (fields > recordFieldsMax)
          throw new MalformedCsv(line, `the record has more than ${recordFieldsMax} fields`);
      }
    }
    rest += text.slice(start);
    throwIfLonger(rest.length);
    return cuts;
  };
  return { cut, end: (): Cut[] => (rest === '' ? [] : [{ line, text: rest }]) };
};

const [quote, comma, newline] = [0x22, 0x2c, 0x0a];

const withoutReturn = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text);

const parseRecords = (cuts: readonly Cut[]): CsvRecord[] => {
  const quoted = parseQuoted(cuts.filter(hasQuotes)).values();
  return cuts.map((cut) => ({ ...cut, fields: hasQuotes(cut) ? (quoted.next().value ?? []) : splitFields(cut) }));
};

const hasQuotes = ({ text }: Cut): boolean => text.includes('"');

const splitFields = ({ text }: Cut) => text.split(',').map((field) => (field === '' ? undefined : field));

const parseQuoted = (cuts: readonly Cut[]): CsvRecord['fields'][] => {
  try {
    return parse(cuts.map(({ text }) => text).join('\n'), {
      record_delimiter: '\n',
      relax_column_count: true,
      cast: (field, { quoting }) => (field === '' && !quoting ? undefined : field),
    });
  } catch (error) {
    const reason = error instanceof CsvError ? reasons[error.code] : undefined;
    if (!(error instanceof CsvError) || reason === undefined) throw error;
    throw new MalformedCsv(cuts[Number(error['records'])]?.line ?? 1, reason);
  }
};

/** By the codes of csv-parse, whose messages repeat the file. */
const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is not followed by a comma or a line end',
  INVALID_OPENING_QUOTE: 'a quote is in a field that does not begin with one',
};

async function* decodeUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

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
