import { OperatorError } from '../../base/error.ts';
import { hasState } from './failure.ts';
import { StandbyError } from './session.ts';

/** The reason why a database cannot be opened. */
export interface Refusal {
  /** Whether it is permanent, so that the operator must repair it. */
  readonly isLasting: boolean;
  /** A sentence without a password or SQL. */
  readonly sentence: string;
}

/** PostgreSQL's own program makes the copy of a database. */
export const backupRefusal = (): OperatorError =>
  new OperatorError('backup copies SQLite databases only. Use pg_dump for PostgreSQL.');

export const refusalOf = (error: unknown): Refusal => {
  const known = sentences.find(([form]) => hasState(error, form));
  if (known) return { isLasting: true, sentence: known[1] };
  if (error instanceof OperatorError) return { isLasting: true, sentence: error.message };
  if (error instanceof StandbyError)
    return { isLasting: false, sentence: 'The server is a standby, which accepts no writes.' };
  if (hasState(error, /^53300$/)) return { isLasting: false, sentence: 'The server has no free connections.' };
  if (hasState(error, /^57P/)) return { isLasting: false, sentence: 'The server is starting or stopping.' };
  return { isLasting: false, sentence: 'The server cannot be reached.' };
};

/** By SQLSTATE. */
const sentences: readonly (readonly [form: RegExp, sentence: string])[] = [
  [/^28/, 'The server rejected the user name or the password.'],
  [/^3D000$/, 'The database does not exist.'],
  [/^42501$/, 'The user is not allowed to create tables in the database.'],
  [/^3F000$/, 'The database has no schema to create tables in.'],
  [/^42(?:P07|703|P01)$/, 'The database has tables of another program. It was not changed.'],
];
