/**
 * An error that the operator can fix, such as an existing file, an invalid row, a missing folder or a damaged database.
 * `message` is one plain sentence, and may name files. It never reaches a client.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** The code of an error of the system, such as `EACCES`, or of a library. Absent for an error without a code. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
