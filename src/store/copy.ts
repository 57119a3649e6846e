/** The tables that both engines copy. */
import { type Column, getTableColumns, getTableName, type Table } from 'drizzle-orm';
import { OperatorError } from '../base/error.ts';
import type { Rows, TableName } from './dump.ts';
import { isLeaseColumn } from './rows/lease.ts';

/** A table that is copied. */
export interface Copied {
  readonly name: TableName;
  /** The columns by the names that both engines use, sorted. */
  readonly columns: readonly string[];
  /** The same columns, in the form of the engine. */
  readonly own: readonly Column[];
  /** Parts of statements. */
  readonly table: string;
  readonly ownColumns: string;
}

/** Leases and the row numbers that PostgreSQL generates are not copied. */
export const toCopied = (name: TableName, table: Table): Copied => {
  const columns = Object.entries(getTableColumns(table))
    .filter(([name, column]) => !column.generatedIdentity && !isLeaseColumn(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const own = columns.map(([, column]) => column);
  return {
    name,
    columns: columns.map(([column]) => column),
    own,
    table: `"${getTableName(table)}"`,
    ownColumns: own.map((column) => `"${column.name}"`).join(', '),
  };
};

/** The table of these rows, which must have all its columns. */
export const tableOf = <Own extends Copied>(tables: readonly Own[], { table: name, columns }: Rows): Own => {
  const known = tables.find((table) => table.name === name);
  if (known?.columns.join() !== columns.join()) throw new Error(`The columns of ${name} are not known.`);
  return known;
};

export const notEmpty = (): OperatorError =>
  new OperatorError('The database to copy to is not empty. It was not changed.');

/** The number of rows in one read. */
export const batchRows = 1000;
