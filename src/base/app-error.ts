/**
 * Every way in which a request can fail: its code, its number, the meaning of the number, and the message for the client.
 * The messages about members of a body or a query are in their schemas. `http/response.ts` has the statuses and headers.
 */
import { depthMax, type JsonFault } from './json.ts';

/** @limit Requests | Body of a request, and row of an import | 413; the row is rejected */
export const bodyBytesMax = 64 * 1024;

/** @limit Requests | Body of `POST /import` | 413 */
export const importBytesMax = 32 * 1024 * 1024;

/** @limit Requests | Rows in the body of `POST /import` | 413 */
export const importRowsMax = 100_000;

/** @limit Pictures | Bytes of a picture | 413 */
export const pictureBytesMax = 1024 * 1024;

/** The closed list. `number` is the HTTP status times 100, plus a number within the status. Only the list of all numbers has the details. */
export const errors = {
  malformed_body: {
    number: 40000,
    meaning: 'The body is malformed.',
    detail: `It is empty or not JSON in UTF-8, has bad syntax, a byte order mark, trailing data or a duplicate name in an object, or is nested deeper than ${depthMax} levels. A file of plants is empty or incomplete, or cannot be divided into rows. A picture or a form is incomplete or damaged, or has data after its end.`,
  },
  invalid_body: {
    number: 40001,
    meaning: 'The body, a row of a file, or the size of a picture does not match the schema.',
  },
  invalid_query: { number: 40002, meaning: 'A query parameter or a header is invalid.' },
  invalid_path_id: { number: 40003, meaning: 'The id in the path is not an int64 in canonical decimal.' },
  invalid_cursor: { number: 40004, meaning: 'Invalid cursor.' },
  token_missing: { number: 40100, meaning: 'The Authorization header is missing or empty.' },
  token_invalid: {
    number: 40101,
    meaning: 'The Authorization header is not `Bearer` and a token, or the token is invalid.',
    detail: 'An invalid token is malformed, unknown, expired or revoked.',
  },
  scope_missing: { number: 40300, meaning: 'The token does not have the required scope.' },
  not_found: { number: 40400, meaning: 'There is no such plant, picture, webhook or delivery.' },
  no_such_path: { number: 40401, meaning: 'There is no such path.' },
  method_not_allowed: {
    number: 40500,
    meaning: 'The path does not support the method; `Allow` lists the methods that it supports.',
  },
  id_taken: { number: 40900, meaning: 'A plant with this id exists, and its content is different.' },
  too_many_webhooks: { number: 40901, meaning: 'The maximum number of webhooks is reached.' },
  too_many_tests: { number: 40902, meaning: 'The maximum number of pending tests of the webhook is reached.' },
  cursor_expired: { number: 41000, meaning: 'The cursor is older than the retained events.' },
  precondition_failed: {
    number: 41200,
    meaning:
      '`If-Match` does not match the current version, by strong comparison, or `If-None-Match` of a change matches it.',
  },
  body_too_large: {
    number: 41300,
    meaning: 'The body is too large.',
    detail: `It is larger than ${bodyBytesMax / 1024} KiB, a file of plants than ${importBytesMax / 1024 ** 2} MiB or ${importRowsMax} rows, or a picture than ${pictureBytesMax / 1024 ** 2} MiB.`,
  },
  unsupported_media_type: {
    number: 41500,
    meaning: 'The type of the body is not accepted.',
    detail:
      'The Content-Type is missing or not one of the operation, its charset is not UTF-8, or there is a Content-Encoding. A picture is not in the format of its Content-Type.',
  },
  range_not_satisfiable: { number: 41600, meaning: '`Range` begins after the end of the picture.' },
  rate_limited: {
    number: 42900,
    meaning:
      'Too many requests with this token, or too many failed authentications from this address; retry after `Retry-After` seconds.',
  },
  defect: { number: 50000, meaning: 'Internal error of the service.' },
  /** Only for this. A failure that a retry cannot fix, or a write that may have been saved, has another code. */
  unavailable: { number: 50300, meaning: 'Nothing was written; retry after `Retry-After` seconds.' },
  outcome_unknown: {
    number: 50301,
    meaning: 'The outcome of the write is unknown: read before you retry. A creation can be retried with the same id.',
  },
} as const;

export type ErrorCode = keyof typeof errors;

/** The message names the fault, and never repeats SQL, paths or input, except for the name of an unknown query parameter. */
export interface Failure<Code extends ErrorCode = ErrorCode> {
  readonly code: Code;
  readonly message: string;
  /** Each invalid member or parameter of the request; the message is about the first. Omitted if the failure is about no such part. */
  readonly details?: readonly FailureDetail[] | undefined;
}

/** An invalid member of a body, by its JSON Pointer, or an invalid query parameter or header, and the rule that it breaks. */
export type FailureDetail =
  | { readonly pointer: string; readonly message: string }
  | { readonly parameter: string; readonly message: string };

export const failure =
  <Code extends ErrorCode>(code: Code) =>
  (message: string): Failure<Code> => ({ code, message });

const malformedBody = failure('malformed_body');
export const emptyBody = malformedBody('The body is empty.');
export const brokenBody = malformedBody('The body is incomplete.');
export const malformedJson: Readonly<Record<JsonFault, Failure>> = {
  syntax: malformedBody('The JSON text is invalid.'),
  encoding: malformedBody('The JSON text is not UTF-8.'),
  byteOrderMark: malformedBody('The JSON text starts with a byte order mark.'),
  depth: malformedBody(`The JSON text is nested deeper than ${depthMax} levels.`),
  repeatedName: malformedBody('The JSON text has a duplicate name in an object.'),
};

export const invalidBody = failure('invalid_body');
export const invalidQuery = failure('invalid_query');
export const malformedQuery = invalidQuery('The query is not percent-encoded UTF-8.');
export const unknownPreferredCode = invalidQuery(
  'The code in the header Prefer must be a documented status of the operation.',
);
export const unknownPreferredExample = invalidQuery(
  'The example in the header Prefer must be the name of a documented example of this status.',
);
export const invalidHost = invalidQuery('The header Host must appear once, as a host with an optional port.');
export const foreignHost = invalidQuery('The header Host must be localhost or a loopback address.');
export const foreignOrigin = invalidQuery('The inbox does not respond to pages of other origins.');

export const invalidPathId = failure('invalid_path_id')(
  'The id in the path must be an integer from -2^63 to 2^63-1 in canonical decimal.',
);

const invalidCursor = failure('invalid_cursor');
export const foreignCursor = invalidCursor('The cursor is not valid for this list.');
export const expiredCursor = failure('cursor_expired')(errors.cursor_expired.meaning);

export const tokenMissing = failure('token_missing')('A bearer token is required.');
const invalidToken = failure('token_invalid');
/** One message for all invalid tokens, so that a client cannot learn the reason. */
export const tokenInvalid = invalidToken('The bearer token is invalid.');
/** It depends only on the form of the header, never on a token in it. */
export const notBearer = invalidToken('The Authorization header must be Bearer and a token, separated by spaces.');
export const scopeMissing = (scope: string) => failure('scope_missing')(`The token does not have the scope ${scope}.`);

const notFound = failure('not_found');
export const noPlant = notFound('There is no plant with this id.');
export const noWebhook = notFound('There is no webhook with this id.');
export const noDelivery = notFound('There is no delivery with this id.');
export const noSuchPath = failure('no_such_path')(errors.no_such_path.meaning);
export const methodNotAllowed = failure('method_not_allowed')('The path does not support this method.');

export const idTaken = failure('id_taken')(errors.id_taken.meaning);
export const changedSince = failure('precondition_failed')(
  'The header If-Match does not match the current version of the plant.',
);
export const tooManyWebhooks = (max: number) =>
  failure('too_many_webhooks')(`The maximum of ${max} webhooks is reached.`);
export const tooManyTests = (max: number) =>
  failure('too_many_tests')(`The maximum of ${max} pending tests of the webhook is reached.`);

export const bodyTooLarge = failure('body_too_large')(`The body is larger than ${bodyBytesMax} bytes.`);
const unsupportedMediaType = failure('unsupported_media_type');
export const otherMediaType = (accepted: readonly string[]) =>
  unsupportedMediaType(`The Content-Type must be ${accepted.join(' or ')}.`);
export const otherCharset = unsupportedMediaType('The charset must be UTF-8.');
export const encodedBody = unsupportedMediaType('The request must not have a Content-Encoding.');

const rateLimited = failure('rate_limited');
export const tooManyRequests = rateLimited('This token has made too many requests.');
export const tooManyFailures = rateLimited('This address has made too many failed authentications.');

export const defect = failure('defect')('The service has an internal error; its log has the cause.');
export const damaged = failure('defect')('The database is damaged; its operator must restore a backup.');
const unavailable = failure('unavailable');
export const unreadable = unavailable('The store cannot be read at the moment.');
export const unwritable = unavailable('The store cannot write at the moment; nothing was changed.');
export const tooManyWrites = unavailable('Too many writes are queued; nothing was changed.');
export const storeStopped = unavailable('The store has stopped after a failure; nothing was changed.');
export const isStopping = unavailable('The service is stopping.');
export const storeSilent = unavailable('The store does not respond.');
/** Only of `/readyz`: requests get `damaged`. */
export const storeDamaged = unavailable('The database is damaged; the log has the cause.');
export const standbyBehind = unavailable(
  'The standby of this process has not replayed the log up to this position yet.',
);
export const tooManyLongReads = unavailable('Too many long lists and searches are being read.');
export const tooManyUnread = unavailable('Too many large responses wait to be read by clients.');
export const tooManyStreams = unavailable('The maximum number of live streams of this process is reached.');
const outcomeUnknown = failure('outcome_unknown');
export const diskFailed = outcomeUnknown('The disk failed; whether the change was saved is unknown.');
export const fileReplaced = outcomeUnknown('The database file was replaced; whether the change was saved is unknown.');
export const connectionLost = outcomeUnknown(
  'The connection to the database was lost; whether the change was saved is unknown.',
);

/** What the headers of a response need. */
export interface ErrorHeaders {
  /** The methods that the path supports, as an `Allow` header has them; with `method_not_allowed`. */
  readonly allow?: string;
  /** The scope that the token does not have; with `scope_missing`. */
  readonly scope?: string;
  /** The current version of the plant or the picture; with `precondition_failed`. */
  readonly version?: string;
  /** The size of the picture; with `range_not_satisfiable`. */
  readonly bytes?: number;
  /** How long to wait; with `rate_limited`. */
  readonly retryAfterSeconds?: number;
}

/** An error that the client can act on. Anything else that is thrown is a defect. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: readonly FailureDetail[] | undefined;
  readonly headers: ErrorHeaders;

  constructor({ code, message, details }: Failure, { cause, ...headers }: ErrorHeaders & ErrorOptions = {}) {
    super(message, { cause });
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}
