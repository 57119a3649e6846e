/**
 * The plants in a file. Each row is sent as it is: the API decides what is valid. Only what cannot be sent is rejected here, and a row whatever
 * it has never affects the others.
 */
import { readCsv } from './csv.ts';
import type { Plant } from './members.ts';

export interface Row {
  readonly line: number;
  /** Its id as JSON, empty without one. */
  readonly id: string;
  /** What the API gets: the text of the file, so that nothing in it is lost, such as the digits of an integer. */
  readonly json?: string;
  /** Why the row cannot be sent. */
  readonly reason?: string;
}

/** Files beyond this size are for `plant-store import`. */
export const fileBytesMax = 32 * 1024 * 1024;

/** Throws an Error if the file is not UTF-8, or not CSV, or has no column for ids. */
export const readRows = async (file: File): Promise<readonly Row[]> => {
  if (file.size > fileBytesMax) throw new Error('The file is larger than 32 MB. Use plant-store import.');
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  return isCsv(file, text) ? rowsOfCsv(text) : rowsOfNdjson(text);
};

const isCsv = ({ name }: File, text: string): boolean =>
  /\.csv$/i.test(name) || !(/\.(?:ndjson|jsonl)$/i.test(name) || text.trimStart().startsWith('{'));

const rowsOfNdjson = (text: string): readonly Row[] =>
  text.split('\n').flatMap((json, index) => (json.trim() === '' ? [] : [rowOfJson(json, index + 1)]));

const rowOfJson = (json: string, line: number): Row => {
  try {
    const value: unknown = JSON.parse(json, withDigits);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { line, id: '', reason: 'The line is not a JSON object.' };
    return rowOf(line, 'id' in value ? value.id : undefined, json);
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'The line is not valid JSON.' : `The line cannot be read: ${error}`;
    return { line, id: '', reason };
  }
};

const rowOf = (line: number, value: unknown, json: string): Row => {
  const text = JSON.stringify(value) ?? '';
  const id = text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
  // The service closes the connection on which a body is much larger, so a browser may not see its response.
  const isTooLong = new Blob([json]).size > rowBytesMax;
  return isTooLong ? { line, id, reason: `The row is longer than ${rowBytesMax} bytes.` } : { line, id, json };
};

/** The limit of the service for a body. */
export const rowBytesMax = 64 * 1024;
const shownMax = 100;

/** An id is shown with the digits of the file. */
const withDigits = (name: string, value: unknown, context?: { source: string }): unknown =>
  name === 'id' && typeof value === 'number' && context ? JSON.rawJSON(context.source) : value;

const rowsOfCsv = (text: string): readonly Row[] => {
  const [header, ...rows] = readCsv(text);
  const columns = header?.fields.map((column) => column?.trim()) ?? [];
  if (!columns.includes('id') || !columns.includes('name'))
    throw new Error('The first line must name the columns id and name.');
  return rows.map(({ line, fields }) => {
    const members = Object.fromEntries(
      columns.flatMap((column, index) => {
        const value = fields[index];
        return column === undefined || value === undefined ? [] : [[column, value]];
      }),
    );
    const exact = Object.fromEntries(
      Object.entries(members).map(([column, text]) => [column, isInteger(column) ? integerOf(text) : text]),
    );
    if (typeof exact['id'] !== 'object') return { line, id: '', reason: 'The id is not an integer.' };
    return rowOf(line, exact['id'], JSON.stringify(exact));
  });
};

type Column = Exclude<keyof Plant, 'createdAt' | 'updatedAt'>;

type IntegerColumn = { [Name in Column]: Extract<Plant[Name], bigint> extends never ? never : Name }[Column];

/** The compiler refuses a new member of integers that is not here. */
const integers: Readonly<Record<IntegerColumn, true>> = { id: true };

const isInteger = (column: string): boolean => Object.hasOwn(integers, column);

/** As JSON, which has no zeros in front. The API refuses a text that is not an integer. */
const integerOf = (text: string) =>
  /^-?\d+$/.test(text.trim()) ? JSON.rawJSON(text.trim().replace(/^(-?)0+(?=\d)/, '$1')) : text;
