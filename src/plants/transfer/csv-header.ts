/** The header of a CSV file. Its error shows what was read, since other programs separate columns and lines in other ways. */
import { OperatorError } from '../../base/error.ts';
import { excerpt } from '../../base/printable.ts';
import { columnNames, isColumn, requiredColumns } from './format.ts';
import { closestTo } from './ignored.ts';

/** The fields of a record. An empty one without quotes is undefined. */
export type CsvFields = readonly (string | undefined)[];

export interface CsvHeader {
  readonly text: string;
  /** Columns without a name are as spreadsheets write them. */
  readonly names: readonly string[];
  /** The number of fields that a row must have: it may omit columns without a name at the end. */
  readonly fieldsMin: number;
}

/** What separates columns: spreadsheets of many countries write semicolons, and copy with tabs. */
const delimiters = [',', ';', '\t'];

/** The first delimiter that separates all required columns in this line, or else the comma. */
export const delimiterOf = (line: string): string => {
  const hasRequired = (delimiter: string): boolean => {
    const names = line.split(delimiter).map((field) => columnOf(field.trim().replace(/^"(.*)"$/, '$1')));
    return requiredColumns.every((column) => names.includes(column));
  };
  return delimiters.find(hasRequired) ?? ',';
};

/** The name as that of the column that differs only in case, if there is one. */
const columnOf = (name: string): string =>
  columnNames.find((column) => column.toLowerCase() === name.toLowerCase()) ?? name;

/**
 * The header in these bytes, with a character for each. Throws OperatorError when it is not UTF-8, a required column is missing, or a known
 * one is repeated.
 */
export const readHeader = (bytes: string, fields: CsvFields | undefined): CsvHeader => {
  if (!fields) throw refuseHeader('is not valid UTF-8', bytes);
  // The rest of the file would be a part of it.
  if (bytes.replaceAll(/"[^"]*"/g, '').includes('\r')) throw refuseHeader('ends with CR alone', bytes);
  const names = fields.map((name = '') => columnOf(name));
  const repeated = names.find((name, at) => isColumn(name) && names.indexOf(name) < at);
  if (repeated !== undefined) throw refuseHeader(`has the column ${repeated} twice`, bytes);
  const missing = requiredColumns.find((column) => !names.includes(column));
  if (missing !== undefined) {
    const closest = names.find((name) => closestTo(name) === missing);
    const hint = closest === undefined ? '' : `, but ${excerpt(closest, 50)}`;
    throw refuseHeader(`has no column ${missing}${hint}`, bytes);
  }
  return { text: decode(bytes), names, fieldsMin: names.findLastIndex((name) => !isBlank(name)) + 1 };
};

export const isBlank = (name: string): boolean => name.trim() === '';

const decode = (bytes: string): string => `${Buffer.from(bytes, 'latin1')}`;

/** `bytes` is the header, or its beginning. */
export const refuseHeader = (problem: string, bytes: string): OperatorError =>
  new OperatorError(`The header ${problem}. It is ${excerpt(decode(bytes), 100)}. ${expected}`);

const expected = `Expected is a line such as ${columnNames.join(',')} in UTF-8, with commas, semicolons or tabs between the columns and LF or CRLF at the end.`;
