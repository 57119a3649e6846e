import type { PlantRecord } from '../domain/plant.ts';

/** A format in which plants come and go. */
export interface PlantFormat {
  /** Splits a stream into rows, in batches, in bounded memory. Throws AppError `malformed_body` where no more can be told apart. */
  readRows(bytes: AsyncIterable<Uint8Array>): AsyncIterable<readonly Row[]>;
  /** What stands before the first plant. */
  readonly head: string;
  encode(records: readonly PlantRecord[]): string;
}

export interface Row {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  /** The row as it came, or as much of it as is kept, without the end of its line. */
  raw(): Uint8Array;
  /** What stands before the rows of its file: the header, or nothing. */
  readonly head: string;
  /** What the row says, still to be checked. Throws AppError `malformed_body` with the reason when it says nothing. */
  parse(): unknown;
}
