/**
 * What the document says of errors: for each status that an operation can fail with, its numbers, its headers, and what it
 * says. Tests get every one of these sentences from the operation itself.
 */
import type { ErrorCode, Refusal } from '../../domain/error.ts';
import { changedSince, noPlant } from '../../domain/plant-change.ts';
import type { Scope } from '../../domain/token.ts';
import { noWebhook } from '../../domain/webhook-change.ts';
import { bodyBytesMax } from '../body.ts';
import { problems, statusOf } from '../problem.ts';
import { Problem } from '../schemas/errors.ts';
import { pathIdError } from '../schemas/plants.ts';
import { ref } from '../schemas/shape.ts';
import { type HeaderName, headersOf } from './headers.ts';
import { type Examples, json, mapValues } from './parts.ts';

/** A way in which an operation can fail; with its sentence where that is not the same everywhere. */
export type Failure = ErrorCode | Refusal | readonly [code: ErrorCode, sentence: string];

/** What every read can fail with. */
export const reading = (scope: Scope): Failure[] => [...authorizing, lacking(scope), ...anyRead];

/** What every write can fail with. */
export const writing = (scope: Scope): Failure[] => [...authorizing, lacking(scope), 'defect', ...unwritable];

/** What every body can fail with. */
export const takingBody = (...mediaTypes: readonly string[]): Failure[] => [
  'malformed_body',
  'body_too_large',
  otherThan(...mediaTypes),
];

const unreadable: Failure = ['unavailable', 'The store cannot be read at the moment.'];

export const authorizing: Failure[] = ['token_missing', 'token_invalid'];
export const anyRead: Failure[] = ['defect', unreadable];

const otherThan = (...mediaTypes: readonly string[]): Failure => [
  'unsupported_media_type',
  `The Content-Type must be ${mediaTypes.join(' or ')}.`,
];
const lacking = (scope: Scope): Failure => ['scope_missing', `The token lacks the scope ${scope}.`];
const unwritable: Failure[] = ['unavailable', 'outcome_unknown'];

/** The responses of an operation that can fail in these ways, one a status. */
export const failureResponses = (...list: readonly Failure[]) =>
  mapValues(
    Object.groupBy(list, (failure) => statusOf(codeOf(failure))),
    (group = []) => {
      const shared = Object.entries(sharedFailures).find(([, known]) => Bun.deepEquals(known, group));
      return shared ? { $ref: `#/components/responses/${shared[0]}` } : responseFor(group);
    },
  );

/** The responses that the document shares. */
export const sharedResponses = () => mapValues(sharedFailures, responseFor);

const sharedFailures: Readonly<Record<string, readonly Failure[]>> = {
  Unauthorized: authorizing,
  PlantsReadForbidden: [lacking('plants:read')],
  PlantsWriteForbidden: [lacking('plants:write')],
  WebhooksReadForbidden: [lacking('webhooks:read')],
  WebhooksWriteForbidden: [lacking('webhooks:write')],
  PlantNotFound: [noPlant],
  WebhookNotFound: [noWebhook],
  PreconditionFailed: [changedSince],
  ContentTooLarge: ['body_too_large'],
  UnsupportedMediaType: [otherThan('application/json')],
  Defect: ['defect'],
  ReadUnavailable: [unreadable],
  WriteUnavailable: unwritable,
};

const responseFor = (group: readonly Failure[]) => {
  const codes = [...new Set(group.map(codeOf))];
  return {
    description: codes.map((code) => `${problems[code].error}: ${problems[code].description}`).join(' '),
    headers: headersOf('Cache-Control', ...codes.flatMap((code) => extraHeaders[code] ?? [])),
    content: json(ref(Problem), examplesOf(group)),
  };
};

const codeOf = (failure: Failure): ErrorCode =>
  typeof failure === 'string' ? failure : 'code' in failure ? failure.code : failure[0];

const sentenceOf = (failure: Failure): string | undefined =>
  typeof failure === 'string' ? sentences[failure] : 'code' in failure ? failure.sentence : failure[1];

/** Headers that an error adds, as `problem.ts` writes them. */
const extraHeaders: Partial<Record<ErrorCode, HeaderName>> = {
  token_missing: 'WWW-Authenticate',
  token_invalid: 'WWW-Authenticate',
  scope_missing: 'WWW-Authenticate',
  body_too_large: 'Connection',
  unavailable: 'Retry-After',
};

/** Named after the codes; a second one of a code has a number. */
const examplesOf = (group: readonly Failure[]): Examples =>
  Object.fromEntries(
    group.map((failure, index) => {
      const code = codeOf(failure);
      const earlier = group.slice(0, index).filter((other) => codeOf(other) === code).length;
      const { error, description } = problems[code];
      const message = sentenceOf(failure);
      if (message === undefined) throw new Error(`There is no sentence for ${code}.`);
      return [earlier === 0 ? code : `${code}_${earlier + 1}`, { summary: description, value: { error, message } }];
    }),
  );

/** What those say that say the same everywhere. */
const sentences: Partial<Record<ErrorCode, string>> = {
  malformed_body: 'The JSON text is not valid.',
  invalid_path_id: pathIdError,
  token_missing: 'A bearer token is required.',
  token_invalid: 'The bearer token is not valid.',
  body_too_large: `The body is larger than ${bodyBytesMax} bytes.`,
  defect: 'The service failed; the cause is in its log.',
  unavailable: 'The store cannot write at the moment; nothing was changed.',
  outcome_unknown: 'The disk failed; whether the change was kept is unknown.',
};
