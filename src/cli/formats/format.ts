/**
 * What all formats share. They take what they know of a plant from the schema of an import, so that a member which is added
 * there is a column and a member of a line at once.
 */
import { KeyOfPropertyKeys } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { int64FromCanonical } from '../../base/int64.ts';
import { OperatorError } from '../../base/operator-error.ts';
import type { ImportedPlant, PlantRecord } from '../../domain/plant.ts';
import { ImportedPlant as Schema } from '../../http/plants/schemas.ts';
import { sentenceOf } from '../../http/schema/shape.ts';

/** A format in which plants come and go. */
export interface PlantFormat {
  /** Splits a stream into rows, in batches, in bounded memory. Throws OperatorError when the rest of the stream has none. */
  readRows(bytes: AsyncIterable<Uint8Array>): AsyncIterable<readonly Row[]>;
  /** The text before the first plant. */
  readonly head: string;
  encode(records: readonly PlantRecord[]): string;
}

export interface Row {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  /** The row as it came, or as much of it as is kept, without the end of its line. */
  raw(): Uint8Array;
  /** The text before the rows of its file: the header, or nothing. */
  readonly head: string;
  /** The plant of the row. Throws OperatorError with the reason when it is none. */
  parse(): ImportedPlant;
}

/** The members of a plant, in the order of the columns of a file. */
export const columns = KeyOfPropertyKeys(Schema);

/** The columns that no file may lack. */
export const requiredColumns: readonly string[] = Schema.required ?? [];

/** The value of a column from its text. A text that is no integer where there should be one is left to the schema to refuse. */
export const readText = (column: string, text: string): unknown =>
  integers.has(column) ? (int64FromCanonical(text) ?? text) : text;

const integers = new Set<string>(columns.filter((column) => Schema.properties[column]['type'] === 'integer'));

/** Checks what a row says, and leaves out members of other names. Throws OperatorError with the reason when it is no plant. */
export const toPlant = (value: unknown): ImportedPlant => {
  const plant = withoutOthers(value);
  if (!schema.Check(plant)) throw new OperatorError(sentenceOf(schema.Errors(plant).First()?.schema ?? Schema));
  const { createdAt, updatedAt } = plant;
  if (createdAt !== undefined && updatedAt !== undefined && updatedAt < createdAt) {
    throw new OperatorError('/updatedAt must not be before /createdAt.');
  }
  return plant;
};

const schema = TypeCompiler.Compile(Schema);

const withoutOthers = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(Schema.properties, name)))
    : value;
