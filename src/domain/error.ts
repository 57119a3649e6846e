/**
 * The closed list of what can go wrong, in the words of the store. Only `http/problem.ts` knows what each one is over
 * HTTP. Anything thrown that is not an AppError is a defect.
 */
export type ErrorCode =
  | 'malformed_body'
  | 'invalid_body'
  | 'invalid_query'
  | 'invalid_path_id'
  | 'invalid_cursor'
  | 'token_missing'
  | 'token_invalid'
  | 'scope_missing'
  | 'not_found'
  | 'no_such_path'
  | 'method_not_allowed'
  | 'id_taken'
  | 'too_many_webhooks'
  | 'too_many_tests'
  | 'cursor_expired'
  | 'precondition_failed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'defect'
  | 'unavailable'
  | 'outcome_unknown';

/** What an answer needs beside the sentence. Absent where the code does not call for it. */
export interface ErrorDetail {
  /** The methods that the path does accept, in the form of an `Allow` header; with `method_not_allowed`. */
  readonly allow?: string;
  /** The scope that the caller lacks; with `scope_missing`. */
  readonly scope?: string;
}

/**
 * An error that the caller can act on. `message` is one plain sentence for a person. It names what is at fault and never
 * repeats input, SQL or paths.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.detail = detail;
  }
}

/** A way in which something is refused: its code, and its one sentence. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly sentence: string;
}

export const refuse = ({ code, sentence }: Refusal): AppError => new AppError(code, sentence);
