/**
 * What the log and the commands show of an error. Its text can quote rows and requests: `detail` of PostgreSQL is the whole refused row,
 * with the secret of a webhook; a trigger of another program raises any text; Drizzle appends the parameters of a query; JSON.parse quotes
 * its input. So a report has the members listed here, and a message only if it does not come from data.
 */
import { codeOf, OperatorError } from './error.ts';

export interface ErrorReport extends Readonly<Record<Fact, string | undefined>> {
  readonly type: string;
  readonly cause: ErrorReport | undefined;
  /** Of an AggregateError. */
  readonly errors: readonly ErrorReport[] | undefined;
}

type Fact = 'message' | 'code' | 'sqlState' | 'table' | 'column' | 'constraint' | 'routine' | 'syscall' | 'stack';

export const reportOf = (error: unknown, depth = 4): ErrorReport => {
  const known = error instanceof Error ? error : new NotAnError();
  const isDeep = depth > 0;
  return {
    type: known.name === 'Error' ? known.constructor.name : known.name,
    message: safeMessageOf(known),
    code: codeOf(known),
    sqlState: sqlStateOf(known),
    table: textOf(known, 'table'),
    column: textOf(known, 'column'),
    // For SQLite also its columns, or its expression.
    constraint: textOf(known, 'constraint') ?? sqliteConstraintOf(known),
    // The function of PostgreSQL that reported the error.
    routine: textOf(known, 'routine'),
    syscall: textOf(known, 'syscall'),
    stack: callsOf(known),
    cause: isDeep && known.cause !== undefined ? reportOf(known.cause, depth - 1) : undefined,
    errors: isDeep && known instanceof AggregateError ? known.errors.map((one) => reportOf(one, depth - 1)) : undefined,
  };
};

/** Whether there was no space on a disk, by the code of the system, of SQLite or of PostgreSQL. */
export const isDiskFull = (error: unknown): boolean => {
  const { code, sqlState } = reportOf(error, 0);
  return /^(?:ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)$/.test(code ?? '') || sqlState === '53100';
};

/** The report as text for a terminal: a line for the error and one for each of its calls, and the same for its causes. */
export const printReport = ({ type, message, stack, cause, errors = [], ...facts }: ErrorReport): string => {
  const known = Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  const head = `${type}${known.length > 0 ? ` (${known.join(', ')})` : ''}${message === undefined ? '' : `: ${message}`}`;
  const causes = [...(cause ? [cause] : []), ...errors].map((one) => `Caused by ${printReport(one)}`);
  return [head, ...(stack ? [stack] : []), ...causes].join('\n');
};

/** Stands for a value that was thrown and is not an error. */
class NotAnError extends Error {
  override readonly name = 'NotAnError';
  override readonly stack = '';
}

/** Of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html). Bun's client has one code for all errors that the server reports, and the SQLSTATE in `errno`. pg has it in `code`. */
const sqlStateOf = (error: Error): string | undefined => {
  if (codeOf(error) === 'ERR_POSTGRES_SERVER_ERROR') return textOf(error, 'errno');
  return 'severity' in error ? codeOf(error) : undefined;
};

const textOf = (error: Error, member: string): string | undefined => {
  const value: unknown = Reflect.get(error, member);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** With a code, a library may have written the message, or the engine of a database, which write values into it. */
const safeMessageOf = (error: Error): string | undefined => {
  const { message } = error;
  if (error instanceof OperatorError) return message;
  if ('code' in error || error.constructor.name !== error.name) return undefined;
  if (error.constructor === Error) return message.replace(/".*"/s, '"…"');
  return engineErrors.includes(error.constructor) ? message.replace(value, '…') : undefined;
};

/** Not SyntaxError, which quotes its input. */
const engineErrors: readonly unknown[] = [TypeError, RangeError, ReferenceError];

/** Engines write values in quotes, behind a colon, and behind some words. */
const value = /(?:['":]|\b(?:value|number|string|from)\b).*$/s;

/** SQLite writes the constraint into the message. A trigger's own text has another code. */
const sqliteConstraintOf = (error: Error): string | undefined =>
  /^SQLITE_CONSTRAINT_(?:CHECK|NOTNULL|PRIMARYKEY|UNIQUE)$/.test(codeOf(error) ?? '')
    ? /constraint failed: (.+)$/s.exec(error.message)?.[1]
    : undefined;

/** The stack after its message, which it begins with. Undefined if it has another message. */
const callsOf = ({ message, stack = '' }: Error): string | undefined => {
  const start = stack.indexOf(message);
  return start < 0 ? undefined : /^\s*\n(.*)$/s.exec(stack.slice(start + message.length))?.[1];
};
