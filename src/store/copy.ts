/** The tables that both engines copy. */
import { getTableColumns, getTableName, type Table } from 'drizzle-orm';
import { OperatorError } from '../base/error.ts';
import type { Rows } from './dump.ts';
import { isLeaseColumn } from './rows/webhook.ts';

type CopiedTable = ReturnType<typeof describeTable>;

/** Leases and the row numbers that PostgreSQL generates are not copied. */
export const describeTable = (table: Table) => {
  const columns = Object.entries(getTableColumns(table))
    .filter(([name, column]) => !column.generatedIdentity && !isLeaseColumn(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const own = columns.map(([, column]) => column);
  return {
    name: getTableName(table),
    /** The columns by the names that both engines use, sorted. */
    columns: columns.map(([column]) => column),
    /** The same columns, in the form of the engine. */
    own,
    /** The names of these, as a part of a statement. */
    ownNames: own.map((column) => `"${column.name}"`).join(', '),
  };
};

/** The table of these rows, which must have all its columns. */
export const findTable = <Own extends CopiedTable>(tables: readonly Own[], { table: name, columns }: Rows): Own => {
  const known = tables.find((table) => table.name === name);
  if (known?.columns.join() !== columns.join()) throw new Error(`The columns of ${name} are not known.`);
  return known;
};

export const notEmptyError = (): OperatorError =>
  new OperatorError('The database to copy to is not empty. It was not changed.');

export const batchRows = 1000;
