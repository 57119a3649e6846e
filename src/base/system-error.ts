/** Errors of the operating system in plain words, for operators. */
import { codeOf, OperatorError } from './error.ts';

/** Why a system call failed, such as `permission denied`. Absent for an error that is not the system's. */
export const systemReasonOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  const code = codeOf(error) ?? '';
  // The message is "CODE: reason, call 'path'".
  return reasons[code] ?? /^E[A-Z0-9]+: ([^,]+)/.exec(error.message)?.[1];
};

/** Reasons that the system words for programmers. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
};

/** The OperatorError that names the file, for an error of the system. Any other error is returned as it is. */
export const withFile = (action: 'read' | 'write', file: string, error: unknown): unknown => {
  const reason = systemReasonOf(error);
  return reason === undefined ? error : new OperatorError(`Cannot ${action} ${file}: ${reason}.`, { cause: error });
};
