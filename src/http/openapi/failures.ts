/**
 * What the document says of errors: for each status that an operation can fail with, its numbers, its headers, and a
 * sentence of each. Tests get every one of these sentences from the service.
 */
import type { ErrorCode } from '../../domain/error.ts';
import { scopes } from '../../domain/token.ts';
import { webhooksMax } from '../../domain/webhook.ts';
import { bodyBytesMax } from '../body.ts';
import { problems, statusOf } from '../problem.ts';
import { Problem } from '../schemas/errors.ts';
import { pathIdError } from '../schemas/plants.ts';
import { ref } from '../schemas/shape.ts';
import { type Examples, headersOf, json, mapValues } from './parts.ts';

/** An error that an operation can fail with; with a sentence where that is the operation's own. */
export type Failure = ErrorCode | readonly [code: ErrorCode, sentence: string];

const unreadable: Failure = ['unavailable', 'The store cannot be read at the moment.'];

const tokenFailures: Failure[] = ['token_missing', 'token_invalid', 'scope_missing'];

/** What every read, every write and every body can fail with. */
export const readFailures: Failure[] = [...tokenFailures, 'defect', unreadable];
export const writeFailures: Failure[] = [...tokenFailures, 'defect', 'unavailable', 'outcome_unknown'];
export const bodyFailures: Failure[] = ['malformed_body', 'body_too_large', 'unsupported_media_type'];

/** The responses that the document shares. */
export const sharedResponses = () => mapValues(sharedFailures, responseFor);

/** The responses for these errors, one a status. */
export const failures = (...list: readonly Failure[]) =>
  mapValues(
    Object.groupBy(list, (failure) => statusOf(codeOf(failure))),
    (group = []) => {
      const shared = Object.entries(sharedFailures).find(([, known]) => Bun.deepEquals(known, group));
      return shared ? { $ref: `#/components/responses/${shared[0]}` } : responseFor(group);
    },
  );

/** Those that the document shares, by the reason phrases of RFC 9110 where they have one to themselves. */
const sharedFailures: Readonly<Record<string, readonly Failure[]>> = {
  Unauthorized: ['token_missing', 'token_invalid'],
  Forbidden: ['scope_missing'],
  NotFound: ['not_found'],
  PreconditionFailed: ['precondition_failed'],
  ContentTooLarge: ['body_too_large'],
  UnsupportedMediaType: ['unsupported_media_type'],
  InternalServerError: ['defect'],
  ServiceUnavailable: [unreadable],
  OutcomeUnknown: ['unavailable', 'outcome_unknown'],
};

const responseFor = (group: readonly Failure[]) => {
  const codes = group.map(codeOf);
  return {
    description: describe(codes),
    headers: headersOf('Cache-Control', ...codes.flatMap((code) => extraHeaders[code] ?? [])),
    content: json(ref(Problem), Object.assign({}, ...group.map(examplesOf))),
  };
};

const codeOf = (failure: Failure): ErrorCode => (typeof failure === 'string' ? failure : failure[0]);

/** The specification calls the failure of a create "unexpected error"; so does every failure of its kind. */
const describe = (codes: readonly ErrorCode[]): string =>
  codes.includes('malformed_body')
    ? 'unexpected error'
    : codes.map((code) => `${problems[code].error}: ${problems[code].description}`).join(' ');

/** Headers that an error adds, as `problem.ts` writes them. */
const extraHeaders: Partial<Record<ErrorCode, 'WWW-Authenticate' | 'Connection' | 'Retry-After'>> = {
  token_missing: 'WWW-Authenticate',
  token_invalid: 'WWW-Authenticate',
  scope_missing: 'WWW-Authenticate',
  body_too_large: 'Connection',
  unavailable: 'Retry-After',
};

const examplesOf = (failure: Failure): Examples => {
  const code = codeOf(failure);
  const { error, description } = problems[code];
  const told = typeof failure === 'string' ? (sentences[code] ?? '') : failure[1];
  const named = typeof told === 'string' ? { [code]: told } : told;
  return mapValues(named, (message) => ({ summary: description, value: { error, message } }));
};

/** What an error says wherever it occurs; several sentences have names. */
const sentences: Partial<Record<ErrorCode, string | Readonly<Record<string, string>>>> = {
  malformed_body: 'The JSON text is not valid.',
  invalid_path_id: pathIdError,
  token_missing: 'A bearer token is required.',
  token_invalid: 'The bearer token is not valid.',
  scope_missing: Object.fromEntries(scopes.map((scope) => [scope, `The token lacks the scope ${scope}.`])),
  not_found: {
    plant_not_found: 'There is no plant with this id.',
    webhook_not_found: 'There is no webhook with this id.',
    delivery_not_found: 'There is no delivery with this id.',
  },
  id_taken: 'The id belongs to another plant.',
  too_many_webhooks: `There may be at most ${webhooksMax} webhooks.`,
  cursor_expired: 'The cursor is older than the events that are kept.',
  precondition_failed: 'The plant has changed since.',
  body_too_large: `The body is larger than ${bodyBytesMax} bytes.`,
  unsupported_media_type: {
    json: 'The Content-Type must be application/json.',
    merge_patch: 'The Content-Type must be application/merge-patch+json or application/json.',
  },
  defect: 'The service failed; the cause is in its log.',
  unavailable: 'The store cannot write at the moment; nothing was changed.',
  outcome_unknown: 'The disk failed; whether the change was kept is unknown.',
};
