import { SQLiteError } from 'bun:sqlite';
import { OperatorError } from '../../base/error.ts';

/** A database file that this program will not open, and why. */
export const refusal = (reason: string, options?: ErrorOptions): OperatorError =>
  new OperatorError(`The database file ${reason}. It was left as it is.`, options);

/** The refusal that an error of SQLite or of the system calls for at the opening; any other error comes back as it is. */
export const asRefusal = (error: unknown): unknown =>
  error instanceof SQLiteError || isSystemError(error) ? refusal(reasonOf(error), { cause: error }) : error;

const isSystemError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'syscall' in error && 'code' in error;

/** Why the file cannot be opened, told by the code of the error. Only two of them say that something is wrong with the file. */
const reasonOf = ({ code = '' }: { readonly code?: string | undefined }): string => {
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) return 'is not a SQLite database, or is damaged';
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return 'is locked by another program';
  return `cannot be opened (${code}): see its permissions and those of its folder`;
};
