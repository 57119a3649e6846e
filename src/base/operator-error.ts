/**
 * What the person who runs the program can repair: a file that is in the way, a row that is no plant, a folder or an address
 * that is not there, a database that must not be opened. `message` is one plain sentence, and may name files. It never reaches a client.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
