/** The plants in a file. Each row is sent as it is: the API decides what is valid. Only what cannot be read is rejected here. */
import { int64Members } from '../../examples/eden/client.ts';
import { readCsv } from './csv.ts';

export interface Row {
  readonly line: number;
  /** What the API gets, with integers as BigInts. */
  readonly body?: Readonly<Record<string, unknown>>;
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

const isCsv = ({ name }: File, text: string): boolean => /\.csv$/i.test(name) || !text.trimStart().startsWith('{');

const rowsOfNdjson = (text: string): readonly Row[] =>
  text.split('\n').flatMap((json, index) => (json.trim() === '' ? [] : [rowOfJson(json, index + 1)]));

const rowOfJson = (json: string, line: number): Row => {
  try {
    const body: unknown = JSON.parse(json, exactly);
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? { line, body: { ...body } }
      : { line, reason: 'The line is not a JSON object.' };
  } catch {
    return { line, reason: 'The line is not valid JSON.' };
  }
};

/** An id that is written as an integer is a BigInt. The API refuses any other one. */
const exactly = (name: string, value: unknown, context?: { source: string }): unknown =>
  int64Members.includes(name) && typeof value === 'number' && /^-?\d+$/.test(context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value;

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
    const id = members['id']?.trim() ?? '';
    if (!/^-?\d+$/.test(id)) return { line, reason: 'The id is not an integer.' };
    return { line, body: { ...members, id: BigInt(id) } };
  });
};
