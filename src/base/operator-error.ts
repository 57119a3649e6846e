/**
 * What whoever runs the program can mend: a file that is in the way, a folder or an address that is not there, a database that
 * must not be opened. `message` is one plain sentence, and may name files. It never reaches a client.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
