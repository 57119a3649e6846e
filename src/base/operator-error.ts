/**
 * What the operator can repair, such as a file in the way, a bad row, a missing folder or a database that must not be opened.
 * `message` is one plain sentence, and may name files. It never reaches a client.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
