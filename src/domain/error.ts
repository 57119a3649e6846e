/**
 * Every way in which a request can fail: its code, its number, the meaning of the number, and the sentence for the client.
 * The sentences on members of a body or a query are in their schemas. `http/response.ts` adds status and headers.
 */
import { depthMax, type JsonFault } from '../base/json.ts';
import { testsPendingMax } from './delivery.ts';
import type { Scope } from './token.ts';
import { webhooksMax } from './webhook.ts';

/**
 * The largest body of a request, and the largest row of an import.
 *
 * @limit Requests | Body of a request, counted as it arrives, and row of an import | 413; the row is rejected
 */
export const bodyBytesMax = 64 * 1024;

/** The closed list. `number` is the HTTP status times 100, and a number of its own. */
export const errors = {
  malformed_body: {
    number: 40000,
    meaning: `The body is not JSON: empty, bad syntax, a byte order mark, not UTF-8, trailing data, a name twice in one object, or nested deeper than ${depthMax}.`,
  },
  invalid_body: { number: 40001, meaning: 'The body is JSON that does not fit the schema.' },
  invalid_query: { number: 40002, meaning: 'A query parameter or a header does not fit.' },
  invalid_path_id: { number: 40003, meaning: 'The id in the path is not an int64 in canonical decimal.' },
  invalid_cursor: { number: 40004, meaning: 'The cursor is not one of ours.' },
  token_missing: { number: 40100, meaning: 'There is no Authorization header, or an empty one.' },
  token_invalid: { number: 40101, meaning: 'The token does not hold: malformed, unknown, expired or revoked.' },
  scope_missing: { number: 40300, meaning: 'The token lacks the scope.' },
  not_found: { number: 40400, meaning: 'There is no such plant, webhook or delivery.' },
  no_such_path: { number: 40401, meaning: 'There is no such path.' },
  method_not_allowed: { number: 40500, meaning: 'The path does not have the method; `Allow` lists those it has.' },
  id_taken: {
    number: 40900,
    meaning: 'The id belongs to another plant, or to this one as somebody has changed it since.',
  },
  too_many_webhooks: { number: 40901, meaning: 'There are as many webhooks as there may be.' },
  too_many_tests: { number: 40902, meaning: 'There are as many pending tests of the webhook as there may be.' },
  cursor_expired: { number: 41000, meaning: 'The cursor is older than the events that are kept.' },
  precondition_failed: {
    number: 41200,
    meaning: '`If-Match` does not name the version of the plant, compared strongly.',
  },
  body_too_large: { number: 41300, meaning: `The body is larger than ${bodyBytesMax / 1024} KiB.` },
  unsupported_media_type: {
    number: 41500,
    meaning: 'The Content-Type is missing or not accepted, its charset is not UTF-8, or there is a Content-Encoding.',
  },
  rate_limited: {
    number: 42900,
    meaning:
      'Too many requests with this token, or too many failed authentications from this address; try again after `Retry-After` seconds.',
  },
  defect: { number: 50000, meaning: 'A defect of the service.' },
  /** Only for this: a failure that a retry cannot mend, or a write that may have been kept, has another code. */
  unavailable: { number: 50300, meaning: 'Nothing was written; try again after `Retry-After` seconds.' },
  outcome_unknown: {
    number: 50301,
    meaning:
      'The outcome of the write is unknown: look before you send it again. A creation may be sent again with the same id.',
  },
} as const;

export type ErrorCode = keyof typeof errors;

/** The sentence names the fault, and never repeats input, SQL or paths. */
export interface Failure {
  readonly code: ErrorCode;
  readonly sentence: string;
}

const failure =
  (code: ErrorCode) =>
  (sentence: string): Failure => ({ code, sentence });

const malformedBody = failure('malformed_body');
export const emptyBody = malformedBody('The body is empty.');
export const brokenBody = malformedBody('The body did not arrive whole.');
export const malformedJson: Readonly<Record<JsonFault, Failure>> = {
  syntax: malformedBody('The JSON text is not valid.'),
  encoding: malformedBody('The JSON text is not UTF-8.'),
  byteOrderMark: malformedBody('The JSON text starts with a byte order mark.'),
  depth: malformedBody(`The JSON text is nested deeper than ${depthMax}.`),
  repeatedName: malformedBody('The JSON text has a name twice in one object.'),
};

/** With the sentence of the schema. */
export const invalidBody = failure('invalid_body');
export const otherId = invalidBody('/id must be the id in the path.');
export const invalidUrl = (rule: string): Failure => invalidBody(`/url ${rule}.`);

/** With the sentence of the schema. */
export const invalidQuery = failure('invalid_query');
export const repeatedParameter = (name: string): Failure => invalidQuery(`The query parameter ${name} is given twice.`);
export const malformedQuery = invalidQuery('The query is not percent-encoded UTF-8.');
export const invalidHost = invalidQuery('The header Host must be given once, as a host and a port.');

export const invalidPathId = failure('invalid_path_id')(
  'The id in the path must be an integer from -2^63 to 2^63-1 in canonical decimal.',
);

const invalidCursor = failure('invalid_cursor');
export const foreignCursor = invalidCursor('The cursor is not one of this list.');
export const foreignPlantCursor = invalidCursor('The query parameter after is not a cursor of this list.');
export const expiredCursor = failure('cursor_expired')(errors.cursor_expired.meaning);

export const tokenMissing = failure('token_missing')('A bearer token is required.');
/** One sentence for all invalid tokens, so that a client cannot tell why. */
export const tokenInvalid = failure('token_invalid')('The bearer token is not valid.');
export const scopeMissing = (scope: Scope): Failure => failure('scope_missing')(`The token lacks the scope ${scope}.`);

const notFound = failure('not_found');
export const noPlant = notFound('There is no plant with this id.');
export const noWebhook = notFound('There is no webhook with this id.');
export const noDelivery = notFound('There is no delivery with this id.');
export const noSuchPath = failure('no_such_path')(errors.no_such_path.meaning);
export const methodNotAllowed = failure('method_not_allowed')('The path does not have this method.');

export const idTaken = failure('id_taken')('The id belongs to another plant.');
export const changedSince = failure('precondition_failed')('The plant has changed since.');
export const tooManyWebhooks = failure('too_many_webhooks')(`There may be at most ${webhooksMax} webhooks.`);
export const tooManyTests = failure('too_many_tests')(
  `There may be at most ${testsPendingMax} pending tests of a webhook.`,
);

export const bodyTooLarge = failure('body_too_large')(`The body is larger than ${bodyBytesMax} bytes.`);
const unsupportedMediaType = failure('unsupported_media_type');
export const otherMediaType = (accepted: readonly string[]): Failure =>
  unsupportedMediaType(`The Content-Type must be ${accepted.join(' or ')}.`);
export const otherCharset = unsupportedMediaType('The charset must be UTF-8.');
export const encodedBody = unsupportedMediaType('A Content-Encoding is not accepted.');

const rateLimited = failure('rate_limited');
export const tooManyRequests = rateLimited('There are too many requests with this token.');
export const tooManyFailures = rateLimited('There are too many failed authentications from this address.');

export const defect = failure('defect')('The service failed; the cause is in its log.');
const unavailable = failure('unavailable');
export const unreadable = unavailable('The store cannot be read at the moment.');
export const unwritable = unavailable('The store cannot write at the moment; nothing was changed.');
export const tooManyWrites = unavailable('Too many writes wait; nothing was changed.');
export const storeStopped = unavailable('The store has stopped after a failure; nothing was changed.');
export const isStopping = unavailable('The service is stopping.');
export const noAnswer = unavailable('The store does not answer.');
export const tooManyAnswers = unavailable('Too many large answers wait to be read.');
export const tooManyStreams = unavailable('There are as many live streams as one process may have.');
const outcomeUnknown = failure('outcome_unknown');
export const diskFailed = outcomeUnknown('The disk failed; whether the change was kept is unknown.');
export const fileReplaced = outcomeUnknown('The database file was replaced; whether the change is kept is unknown.');
export const connectionLost = outcomeUnknown(
  'The connection to the database was lost; whether the change was kept is unknown.',
);

/** What an answer needs beside the sentence. */
export interface ErrorDetail {
  /** The methods that the path does accept, in the form of an `Allow` header; with `method_not_allowed`. */
  readonly allow?: string;
  /** The scope that the caller lacks; with `scope_missing`. */
  readonly scope?: string;
  /** How long to wait; with `rate_limited`. */
  readonly retryAfterSeconds?: number;
}

/** An error that the client can act on. Anything else that is thrown is a defect. `message` is the sentence. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor({ code, sentence }: Failure, { cause, ...detail }: ErrorDetail & ErrorOptions = {}) {
    super(sentence, { cause });
    this.code = code;
    this.detail = detail;
  }
}
