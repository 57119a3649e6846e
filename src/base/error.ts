import { constants } from 'node:os';
import { getSystemErrorMessage } from 'node:util';

/**
 * An error that the operator can fix, such as an existing file, an invalid row, a missing folder or a damaged database.
 * `message` is one plain sentence, and may name files. It never reaches a client.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** The code of an error of the system, such as `EACCES`, or of a library, if it has one. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Why a system call failed, such as `permission denied`. Undefined for any other error. */
export const systemReasonOf = (error: unknown): string | undefined => {
  const code = codeOf(error) ?? '';
  // Not from the message: some of Deno's have another form.
  const number: unknown = Reflect.get(constants.errno, code);
  return typeof number === 'number' ? (reasons[code] ?? getSystemErrorMessage(-number)) : undefined;
};

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
};

/** An OperatorError that names the file, for an error of the system. Any other error is returned unchanged. */
export const withFile = (action: 'read' | 'write', file: string, error: unknown): unknown => {
  const reason = systemReasonOf(error);
  return reason === undefined ? error : new OperatorError(`Cannot ${action} ${file}: ${reason}.`, { cause: error });
};

/** The value of `act`. Undefined if it throws. */
export const tryTo = <Value>(act: () => Value): Value | undefined => {
  try {
    return act();
  } catch {
    return undefined;
  }
};
