/** Common to all formats. Columns and members come from the schema of an import, so a new member is in all formats at once. */
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { OperatorError } from '../../base/error.ts';
import { int64FromCanonical } from '../../base/int64.ts';
import { isObject } from '../../base/json.ts';
import { toInstant } from '../../base/time.ts';
import { faultsIn, toMessage } from '../../http/faults.ts';
import { memberNamesOf } from '../../http/schema.ts';
import type { ImportedPlant } from '../import.ts';
import type { PlantRecord } from '../plant.ts';
import { ImportedPlant as Schema } from '../schemas.ts';

/** Called with each name that a plant does not have, perhaps more than once. */
export type OnIgnored = (name: string) => void;

export interface PlantFormat {
  /** What messages call a named value of a row: `column` or `member`. */
  readonly fieldWord: string;
  /** Splits a stream into rows, in batches, in bounded memory. Throws OperatorError when the rest cannot be split. */
  readRows(bytes: AsyncIterable<Uint8Array>, onIgnored?: OnIgnored): AsyncIterable<readonly FileRow[]>;
  /** The text before the first plant. */
  readonly head: string;
  encode(records: readonly PlantRecord[]): string;
}

export interface FileRow {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  /** The number of its lines: a field of CSV can have line breaks. */
  readonly lines: number;
  /** The bytes of the row, perhaps cut short, without the end of its line, with a character for each. */
  raw(): string;
  /** The header of its file, or nothing. */
  readonly head: string;
  /** Throws OperatorError with the reason when the row is not a valid plant. */
  parse(): ImportedPlant;
}

/** The members of a plant, in the order of the columns of a file. */
export const columnNames = memberNamesOf(Schema);

export const requiredColumns: readonly string[] = Schema.required ?? [];

const integers = columnNames.filter((column) => Schema.properties[column]['type'] === 'integer');

const times: readonly string[] = columnNames.filter((column) => Schema.properties[column]['format'] === 'date-time');

export const isColumn = (name: string): boolean => Object.hasOwn(Schema.properties, name);

/** The value of a column from its text. A text that should be an integer and is not stays, and the schema refuses it. */
export const readColumn = (column: string, text: string): unknown =>
  integers.some((integer) => integer === column) ? (int64FromCanonical(text) ?? text) : text;

/**
 * The plant of a row. Other programs write null for a missing member, and times in other forms. Members of other names are ignored. Throws
 * OperatorError with the reason when the rest is not a valid plant.
 */
export const toImportedPlant = (value: unknown, onIgnored?: OnIgnored): ImportedPlant => {
  let plant = withKnownMembers(value, onIgnored);
  // Most rows have times in our form already.
  if (!schema.Check(plant)) {
    plant = withInstants(plant);
    if (!schema.Check(plant)) throw new OperatorError(reasonOf(plant));
  }
  const { createdAt, updatedAt } = plant;
  if (createdAt !== undefined && updatedAt !== undefined && updatedAt < createdAt) {
    throw new OperatorError('/updatedAt must not be before /createdAt.');
  }
  return plant;
};

const schema = TypeCompiler.Compile(Schema);

/** Names all invalid members. */
const reasonOf = (value: unknown): string =>
  isObject(value) ? faultsIn(Schema, value).map(toMessage).join(' ') : 'The row must be a JSON object.';

const withKnownMembers = (value: unknown, onIgnored?: OnIgnored): unknown => {
  if (!isObject(value)) return value;
  const known: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (!isColumn(name)) onIgnored?.(name);
    else if (member !== null || requiredColumns.includes(name)) known[name] = member;
  }
  return known;
};

const withInstants = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readTime(name, member)]))
    : value;

const readTime = (name: string, member: unknown): unknown =>
  typeof member === 'string' && times.includes(name) ? (toInstant(member) ?? member) : member;
