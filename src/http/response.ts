/**
 * Responses in JSON. Only this file maps errors to HTTP statuses and headers. An error that is not an AppError is a defect, and
 * the response does not reveal it.
 */
import { AppError, defect, type ErrorCode, type ErrorHeaders, errors, type Failure } from '../base/app-error.ts';
import { etagOf } from './conditional.ts';

export const jsonResponse = (body: object, headers: Readonly<Record<string, string>> = {}, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** The response to any error. The caller logs the cause of a defect. */
export const toResponse = (error: unknown): Response => {
  const failure = error instanceof AppError ? error : unexplained;
  return jsonResponse(failureToJson(failure), errorHeaders(failure.code, failure.headers), statusOf(failure.code));
};

const unexplained = new AppError(defect);

/** The body of the response to a failure, for `JSON.stringify`. */
export const failureToJson = ({ code, message, details }: Failure) => ({
  error: errors[code].number,
  message,
  details,
});

/** The number of an error begins with its status. */
const statuses = {
  malformed_body: 400,
  invalid_body: 400,
  invalid_query: 400,
  invalid_path_id: 400,
  invalid_cursor: 400,
  token_missing: 401,
  token_invalid: 401,
  scope_missing: 403,
  not_found: 404,
  no_such_path: 404,
  method_not_allowed: 405,
  id_taken: 409,
  too_many_webhooks: 409,
  too_many_tests: 409,
  cursor_expired: 410,
  precondition_failed: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  rate_limited: 429,
  defect: 500,
  unavailable: 503,
  outcome_unknown: 503,
} as const satisfies Record<ErrorCode, number>;

export type StatusOf<Code extends ErrorCode> = (typeof statuses)[Code];

export const statusOf = (code: ErrorCode): number => statuses[code];

/** Whether the request has failed. */
export const isError = (status: number): boolean => status >= 400;

/** Whether the failure is one of the service, and not of the client. */
export const isServerError = (status: number): boolean => status >= 500;

/** The headers of an error response, with names in lower case. */
export const errorHeaders = (code: ErrorCode, values: ErrorHeaders = {}): Record<string, string> => ({
  'cache-control': 'no-store',
  ...ownHeaders[code]?.(values),
});

const ownHeaders: Partial<Record<ErrorCode, (values: ErrorHeaders) => Record<string, string>>> = {
  token_missing: () => ({ 'www-authenticate': challenge }),
  token_invalid: () => ({ 'www-authenticate': `${challenge}, error="invalid_token"` }),
  scope_missing: ({ scope = '' }) => ({
    'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"`,
  }),
  method_not_allowed: ({ allow = '' }) => ({ allow }),
  precondition_failed: ({ version = '' }) => ({ etag: etagOf(version) }),
  body_too_large: () => ({ connection: 'close' }),
  range_not_satisfiable: ({ bytes = 0 }) => ({ 'content-range': `bytes */${bytes}` }),
  rate_limited: ({ retryAfterSeconds = 1 }) => ({ 'retry-after': `${retryAfterSeconds}` }),
  unavailable: () => ({ 'retry-after': '1' }),
};

const challenge = 'Bearer realm="plant-store"';
