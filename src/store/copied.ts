import { type Column, getTableColumns, getTableName, type Table } from 'drizzle-orm';
import { isLeaseColumn } from './rows/lease.ts';
import type { TableName } from './whole-store.ts';

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
