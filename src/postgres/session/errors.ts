import { postgres } from '#runtime/postgres/driver';
import { AppError, connectionLost, damaged, unreadable, unwritable } from '../../base/app-error.ts';
import { OperatorError } from '../../base/error.ts';

/** The server did not answer before the deadline of this program. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  override readonly message = 'The database did not answer in time.';
}

/** The result of the work. DeadlineExceeded if it takes until `endsAtMs`, by the monotonic clock. */
export const withDeadline = <Result>(work: Promise<Result>, endsAtMs: number): Promise<Result> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineExceeded()), Math.max(0, endsAtMs - performance.now()));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/**
 * The result of one step of a long operation, such as the last step of an import, which writes all its events. DeadlineExceeded after five
 * minutes.
 */
export const withStepDeadline = <Result>(step: Promise<Result>): Promise<Result> =>
  withDeadline(step, performance.now() + stepMsMax);

const stepMsMax = 5 * 60 * 1000;

/** A standby that cannot be used now. */
export class StandbyError extends Error {
  override readonly name = 'StandbyError';

  constructor(message = 'The server is a standby, which accepts no writes.') {
    super(message);
  }
}

/**
 * Converts an error of the engine for a caller. A connection lost during COMMIT leaves the outcome unknown. In all other cases nothing
 * was written: an error of the connection or of the state of the server becomes `unavailable`, damage `damaged`, and any other error is a
 * defect, which is returned unchanged.
 */
export const toAppError = (cause: unknown, during: 'read' | 'write' | 'commit'): unknown => {
  if (during === 'commit' && isLost(cause)) return new AppError(connectionLost, { cause });
  if (isDamage(cause)) return new AppError(damaged, { cause });
  if (!isLost(cause) && !isConflict(cause) && !isRefused(cause)) return cause;
  return new AppError(during === 'read' ? unreadable : unwritable, { cause });
};

/** The node of a store has not confirmed a COMMIT to the node of the session. */
class NodeLost extends Error {
  override readonly name = 'NodeLost';
  override readonly message = 'Another node of Citus did not confirm the commit.';
}

/** Throws the error of a COMMIT, as NodeLost if it can be that: Citus reports it as an internal error. */
export const throwOfCommit = (error: unknown, { isCitus }: { readonly isCitus: boolean }): never => {
  throw isCitus && hasState(error, /^XX000$/) ? new NodeLost(undefined, { cause: error }) : error;
};

/** The connection ended, or the server did not answer: it may have executed the last statement. */
export const isLost = (error: unknown): boolean =>
  error instanceof DeadlineExceeded ||
  error instanceof NodeLost ||
  postgres.isConnectionError(error) ||
  hasState(error, /^(?:08...|57P0[1-5]|25P0[34])$/);

/** A prepared statement is missing, or its name is taken: the server session has changed. */
export const showsPooler = (error: unknown): boolean => hasState(error, /^(?:26000|42P05)$/);

/** The connection cannot be used any more. The server may be a standby now, so that a new connection may reach another server. */
export const isUseless = (error: unknown): boolean => isLost(error) || hasState(error, /^(?:53300|25006)$/);

/** The transaction conflicted with another, and may succeed when it is repeated. */
export const isConflict = (error: unknown): boolean => isTaken(error) || hasState(error, /^40(?:001|P01)$/);

/** A row with the key exists. */
export const isTaken = (error: unknown): boolean => hasState(error, /^23505$/);

/** The SQLSTATE of an error after which a transaction is repeated: that of a connection failure if the server has sent none. */
export const sqlStateOf = (error: unknown): string => postgres.stateOf(error) ?? '08006';

export const isTableMissing = (error: unknown): boolean => hasState(error, /^42P01$/);

/**
 * The server refuses the statement now: read-only, disk full, out of memory, an I/O error, a timeout, or a table that is missing or not
 * permitted.
 */
const isRefused = (error: unknown): boolean => hasState(error, /^(?:25006|42P01|42501|53...|55P03|57014|58...)$/);

/** The server has found damage: of a table, of an index, or a missing file. An I/O error has another code (58030). */
export const isDamage = (error: unknown): boolean => hasState(error, /^(?:XX00[12]|58P01)$/);

export const hasState = (error: unknown, form: RegExp): boolean => form.test(postgres.stateOf(error) ?? '');

/** Why a database cannot be opened. */
interface Reason {
  /** Whether the operator must repair it. */
  readonly isPermanent: boolean;
  /** Without a password or SQL. */
  readonly message: string;
}

export const reasonOf = (error: unknown): Reason => {
  const known = reasons.find(([form]) => hasState(error, form));
  if (known) return { isPermanent: known[1], message: known[2] };
  if (error instanceof OperatorError || error instanceof StandbyError)
    return { isPermanent: error instanceof OperatorError, message: error.message };
  return { isPermanent: false, message: 'The server cannot be reached.' };
};

/** By SQLSTATE. */
const reasons: readonly (readonly [form: RegExp, isPermanent: boolean, message: string])[] = [
  [/^28/, true, 'The server rejected the user name or the password.'],
  [/^3D000$/, true, 'The database does not exist.'],
  [/^42501$/, true, 'The user is not allowed to use the database, or to create tables in it.'],
  [/^3F000$/, true, 'The database has no schema to create tables in.'],
  [/^42(?:P07|703|P01)$/, true, 'The database has tables of another program. It was not changed.'],
  [/^25006$/, false, 'The tables must be created or changed first by a process that may write.'],
  [/^53100$/, false, 'The disk of the server is full.'],
  [/^53300$/, false, 'The server has no free connections.'],
  [/^(?:XX00[12]|58P01)$/, true, 'The database is damaged; restore a backup.'],
  [/^57P/, false, 'The server is starting or stopping.'],
];
