/** The code of an error of the system, such as `EACCES`, or of a library. Absent for an error without one. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
