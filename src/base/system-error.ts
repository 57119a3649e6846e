/** Errors of the operating system in plain English, for operators. */
import { codeOf, OperatorError } from './error.ts';

/** Why a system call failed, such as `permission denied`. Absent for any other error. */
export const systemReasonOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  const code = codeOf(error) ?? '';
  // The message is "CODE: reason, call 'path'".
  return reasons[code] ?? /^E[A-Z0-9]+: ([^,]+)/.exec(error.message)?.[1];
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
