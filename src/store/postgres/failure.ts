import { SQL } from 'bun';
import { codeOf } from '../../base/error.ts';
import { AppError, unreadable, unwritable } from '../../domain/error.ts';
import { Late } from './deadline.ts';

/**
 * What an error of the engine means to a caller, when nothing was written. An error of the connection or of the state of the server is
 * `unavailable`. Any other is a defect and is returned as it is.
 */
export const toAppError = (error: unknown, during: 'read' | 'write'): unknown =>
  isLost(error) || isConflict(error) || isRefused(error)
    ? new AppError(during === 'read' ? unreadable : unwritable, { cause: error })
    : error;

/** The connection ended, or the server did not answer: what was sent last may have been done. */
export const isLost = (error: unknown): boolean =>
  error instanceof Late ||
  /^ERR_POSTGRES_(?!SERVER_ERROR)/.test(codeOf(error) ?? '') ||
  hasState(error, /^(?:08...|57P0[1-5]|25P0[34])$/) ||
  showsPooler(error);

/** A prepared statement is missing, or there is one of its name: the session of the server is another one than before. */
export const showsPooler = (error: unknown): boolean => hasState(error, /^(?:26000|42P05)$/);

/** The connection is of no more use. The server may be a standby now, so that a new one may lead elsewhere. */
export const isUseless = (error: unknown): boolean => isLost(error) || hasState(error, /^(?:53300|25006)$/);

/** Another transaction has inserted a row meanwhile. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
  override readonly message = 'Another transaction was faster.';
}

/** The transaction lost to another, and may succeed when it is repeated. */
export const isConflict = (error: unknown): boolean => error instanceof Conflict || hasState(error, /^40(?:001|P01)$/);

/**
 * The SQLSTATE of an error after which a transaction is repeated. That of a conflict is the one that the insert would have had, and
 * a connection that was lost without a word of the server is a connection failure.
 */
export const sqlStateOf = (error: unknown): string =>
  stateOf(error) ?? (error instanceof Conflict ? uniqueViolation : connectionFailure);

const uniqueViolation = '23505';
const connectionFailure = '08006';

/** A row has a key that is taken. */
export const isTaken = (error: unknown): boolean => hasState(error, /^23505$/);

export const isTableMissing = (error: unknown): boolean => hasState(error, /^42P01$/);

/** The server refuses it now: read-only, no room, no memory, a failing disk, a limit of time, or a table that is missing or not ours. */
const isRefused = (error: unknown): boolean =>
  hasState(error, /^(?:25006|42P01|42501|53...|55P03|57014|58...|XX00[12])$/);

/**
 * Whether the error of the server has such a SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html). Bun has
 * it in `errno`.
 */
export const hasState = (error: unknown, form: RegExp): boolean => form.test(stateOf(error) ?? '');

const stateOf = (error: unknown): string | undefined =>
  error instanceof SQL.PostgresError && error.errno !== undefined ? `${error.errno}` : undefined;
