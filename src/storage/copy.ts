/** The tables that both engines copy. */
import { type Column, getTableColumns, getTableName, is, Table } from 'drizzle-orm';
import { OperatorError } from '../base/error.ts';
import type { Rows } from './dump.ts';

export type CopiedTable = ReturnType<ReturnType<typeof describeTable>>;

/**
 * The tables to copy: those of the schema, which is a module of `db/`, except these. So a new table is copied without a change of
 * this code. Plants come first, and then the others by name.
 */
export const copiedTables = (
  schema: Readonly<Record<string, unknown>>,
  notCopied: readonly Table[],
  isOmitted: (column: string) => boolean,
) =>
  tablesOf(schema)
    .filter((table) => !notCopied.includes(table))
    .map(describeTable(isOmitted))
    .sort((a, b) => Number(b.name === 'plants') - Number(a.name === 'plants') || (a.name < b.name ? -1 : 1));

export const tablesOf = (schema: Readonly<Record<string, unknown>>): Table[] =>
  Object.values(schema).filter((value) => is(value, Table));

/** Leases and the row numbers that PostgreSQL generates are not copied. */
const describeTable = (isOmitted: (column: string) => boolean) => (table: Table) => {
  expectNoGeneratedKey(table);
  const columns = Object.entries(getTableColumns(table))
    .filter(([name, column]) => !column.generatedIdentity && !isOmitted(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const own = columns.map(([, column]) => column);
  return {
    table,
    name: getTableName(table),
    /** The columns by the names that both engines use, sorted. */
    columns: columns.map(([column]) => column),
    /** `columns` in the form of the engine. */
    own,
    /** How many rows are read and written at once. */
    batchRows: own.some(isBytes) ? bytesRows : batchRows,
    /** The names of these, as a part of a statement. */
    ownNames: own.map((column) => `"${column.name}"`).join(', '),
  };
};

/** After a copy, a database would generate other keys, or the same ones again. The rules of a resource choose its ids. */
const expectNoGeneratedKey = (table: Table): void => {
  for (const column of Object.values(getTableColumns(table))) {
    const isGeneratedKey = column.primary && column.generatedIdentity !== undefined;
    if (isGeneratedKey || /serial$/.test(column.getSQLType()))
      throw new Error(`The database generates ${getTableName(table)}.${column.name}, so it cannot be copied.`);
  }
};

/** The table of these rows, which must have all its columns. */
export const findTable = <Own extends CopiedTable>(tables: readonly Own[], { table: name, columns }: Rows): Own => {
  const known = tables.find((table) => table.name === name);
  if (!known) throw new OperatorError(`The table ${name} is not known.`);
  if (known.columns.join() !== columns.join()) throw new OperatorError(`The columns of ${name} are not known.`);
  return known;
};

export const notEmptyError = (): OperatorError =>
  new OperatorError('The database to copy to is not empty. It was not changed.');

/** Whether a column has bytes, such as a picture, and not a number or a text. */
export const isBytes = (column: Column): boolean => ['blob', 'bytea'].includes(column.getSQLType());

const batchRows = 1000;
/** Of pictures, so many take up to 16 MiB. */
const bytesRows = 16;
