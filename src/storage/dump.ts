/** The contract of an engine for `copy`. The layers above do not depend on which engine runs. */

/** All rows of a database. No other session can use it until this is closed. */
export interface ExclusiveStore extends AsyncDisposable {
  count(): Promise<number>;
  /** Reads all rows, in batches, from one snapshot. Throws OperatorError for a column that this program does not know. */
  dump(): AsyncIterable<Rows>;
  /** The names of the tables that are not the store's. They belong to other programs, and are not read. */
  others(): Promise<readonly string[]>;
  /**
   * Writes all rows in one transaction. It is committed when `batches` ends, and rolled back when `batches` throws. Rejects with
   * OperatorError if there are rows already.
   */
  restore(batches: AsyncIterable<Rows>): Promise<void>;
}

/** Rows of one table, in the form of both engines: the values of each row, in the order of the columns. */
export interface Rows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

export type Value = bigint | string | Uint8Array | null;
