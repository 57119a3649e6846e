/**
 * The one place that knows what an error is over HTTP: its status, its number, its meaning and its headers.
 * An error that is not an AppError is a defect, and nothing of it is shown.
 */
import { AppError, type ErrorCode, type ErrorDetail } from '../domain/error.ts';
import { bodyBytesMax } from './body.ts';
import { depthMax } from './json.ts';
import { jsonResponse } from './response.ts';

export interface Problem {
  /** `status × 100 + n`, the `error` member of the body. */
  readonly error: number;
  readonly description: string;
}

/** Every error that the service writes. The HTTP status is the number without its last two digits. */
export const problems: Readonly<Record<ErrorCode, Problem>> = {
  malformed_body: {
    error: 40000,
    description: `The body is not JSON: empty, bad syntax, a byte order mark, not UTF-8, trailing data, a name twice in one object, or nested deeper than ${depthMax}.`,
  },
  invalid_body: { error: 40001, description: 'The body is JSON that does not fit the schema.' },
  invalid_query: { error: 40002, description: 'A query parameter or a header does not fit.' },
  invalid_path_id: { error: 40003, description: 'The id in the path is not an int64 in canonical decimal.' },
  invalid_cursor: { error: 40004, description: 'The cursor is not one of ours.' },
  token_missing: { error: 40100, description: 'There is no Authorization header, or an empty one.' },
  token_invalid: { error: 40101, description: 'The token does not hold: malformed, unknown, expired or revoked.' },
  scope_missing: { error: 40300, description: 'The token lacks the scope.' },
  not_found: { error: 40400, description: 'There is no such plant, webhook or delivery.' },
  no_such_path: { error: 40401, description: 'There is no such path.' },
  method_not_allowed: { error: 40500, description: 'The path does not have the method; `Allow` lists those it has.' },
  id_taken: {
    error: 40900,
    description: 'The id belongs to another plant, or to this one as somebody has changed it since.',
  },
  too_many_webhooks: { error: 40901, description: 'There are as many webhooks as there may be.' },
  too_many_tests: { error: 40902, description: 'There are as many pending tests of the webhook as there may be.' },
  cursor_expired: { error: 41000, description: 'The cursor is older than the events that are kept.' },
  precondition_failed: {
    error: 41200,
    description: '`If-Match` does not name the version of the plant, compared strongly.',
  },
  body_too_large: { error: 41300, description: `The body is larger than ${bodyBytesMax / 1024} KiB.` },
  unsupported_media_type: {
    error: 41500,
    description:
      'The Content-Type is missing or not accepted, its charset is not UTF-8, or there is a Content-Encoding.',
  },
  defect: { error: 50000, description: 'A defect of the service.' },
  unavailable: { error: 50300, description: 'Nothing was written; try again after `Retry-After` seconds.' },
  outcome_unknown: {
    error: 50301,
    description:
      'The outcome of the write is unknown: look before you send it again. A creation may be sent again with the same id.',
  },
};

export const statusOf = (code: ErrorCode): number => Math.floor(problems[code].error / 100);

/** Whether the error is the service's own, and not its caller's. */
export const isOwnFailure = (code: ErrorCode): boolean => statusOf(code) >= 500;

/** Writes any error as the service's answer. Whoever calls it with a defect logs the cause. */
export const toResponse = (error: unknown): Response => {
  const { code, message, detail } = error instanceof AppError ? error : defect;
  const headers = { 'cache-control': 'no-store', ...headersOf(code, detail) };
  return jsonResponse({ error: problems[code].error, message }, headers, statusOf(code));
};

/** The last resort, for an error in the handling of an error. */
const defect = new AppError('defect', 'The service failed; the cause is in its log.');

const challenge = 'Bearer realm="plant-store"';

const headersOf = (code: ErrorCode, { allow = '', scope = '' }: ErrorDetail): Record<string, string> => {
  switch (code) {
    case 'token_missing':
      return { 'www-authenticate': challenge };
    case 'token_invalid':
      return { 'www-authenticate': `${challenge}, error="invalid_token"` };
    case 'scope_missing':
      return { 'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` };
    case 'method_not_allowed':
      return { allow };
    case 'body_too_large':
      return { connection: 'close' };
    case 'unavailable':
      return { 'retry-after': '1' };
    default:
      return {};
  }
};
