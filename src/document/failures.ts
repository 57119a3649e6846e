/** The errors in the document: numbers, headers and messages by status. Tests get each message from its operation. */
import { isDeepStrictEqual } from 'node:util';
import {
  bodyTooLarge,
  changedSince,
  defect,
  diskFailed,
  errors,
  type Failure,
  invalidPathId,
  invalidQuery,
  malformedJson,
  noPlant,
  notBearer,
  noWebhook,
  otherMediaType,
  scopeMissing,
  tokenInvalid,
  tokenMissing,
  tooManyFailures,
  tooManyRequests,
  tooManyTests,
  unknownParameter,
  unreadable,
  unwritable,
} from '../app-error.ts';
import { testMessagesPendingMax } from '../deliveries/delivery.ts';
import { type Operation, queryNamesOf } from '../http/operation.ts';
import { errorHeaders, statusOf } from '../http/response.ts';
import { closed, isChecked, messageOf, named, t } from '../http/schema.ts';
import { type Scope, scopes } from '../tokens/token.ts';
import { contentOf, headers, headersOf, mapValues, ofRateLimit } from './parts.ts';

export const Problem = named(
  'Error',
  t.Object(
    {
      error: t.Unsafe<number>({
        type: 'integer',
        format: 'int32',
        description: 'Numeric error value: the status code times 100, plus a number within the status',
        oneOf: Object.entries(errors).map(([title, error]) => ({
          const: error.number,
          title,
          description: 'detail' in error ? `${error.meaning} ${error.detail}` : error.meaning,
        })),
        examples: [errors.invalid_body.number],
      }),
      message: t.String({ description: 'Error message text', examples: ['/id must equal the id in the path.'] }),
    },
    {
      ...closed,
      description:
        'The reason why the request failed. All errors have this schema, except that the HTTP parser responds with an empty body to what is not valid HTTP (400, 413, 431, 505).',
    },
  ),
);

/** With a rate limit, every operation can also reject a request beyond it. */
export const failuresOf = (operation: Operation, isRateLimited: boolean): Failure[] => {
  const { route, scope, parameters = {}, body, failures = [] } = operation;
  return [
    ...(body ? [malformedJson.syntax, bodyTooLarge, otherMediaType(body.mediaTypes), body.failure] : []),
    ...(Object.values(parameters.path?.properties ?? {}).some(isChecked) ? [invalidPathId] : []),
    ...Object.values(parameters.headers?.properties ?? {})
      .filter(isChecked)
      .map((header) => invalidQuery(messageOf(header))),
    ...unauthenticated,
    ...(isRateLimited ? rateLimited : []),
    ...(scope ? [scopeMissing(scope)] : []),
    defect,
    ...(route.startsWith('GET ') ? [unreadable] : writeFailures),
    ...failures,
    unknownParameter(unknownName, queryNamesOf(operation)),
  ];
};

/** A name that many lists of other services have. */
const unknownName = 'page';

const rateLimited = [tooManyRequests, tooManyFailures];
const unauthenticated = [tokenMissing, tokenInvalid, notBearer];
const writeFailures = [unwritable, diskFailed];

/** A response for each status, shared ones by reference. */
export const failureResponses = (operation: Operation, isRateLimited: boolean) => {
  const { badRequest } = operation;
  const byStatus = Object.groupBy(failuresOf(operation, isRateLimited), ({ code }) => statusOf(code));
  const responses = mapValues(byStatus, (group = []) => {
    const shared = Object.entries(sharedFailures).find(([, known]) => isDeepStrictEqual(known, group));
    return shared ? { $ref: `#/components/responses/${shared[0]}` } : describeFailures(group, isRateLimited);
  });
  if (badRequest === undefined) return responses;
  const status = statusOf('malformed_body');
  return { ...responses, [status]: describeAs(badRequest, byStatus[status] ?? [], isRateLimited) };
};

/** `PlantsReadForbidden` for `plants:read`. */
export const nameOfForbidden = (scope: Scope): string =>
  `${scope.replaceAll(/(?:^|:)(\w)/g, (_, letter: string) => letter.toUpperCase())}Forbidden`;

export const sharedResponses = (isRateLimited: boolean) => {
  const { TooManyRequests, ...others } = mapValues(sharedFailures, (group) => describeFailures(group, isRateLimited));
  return isRateLimited ? { ...others, TooManyRequests } : others;
};

const sharedFailures = {
  Unauthorized: unauthenticated,
  ...Object.fromEntries(scopes.map((scope) => [nameOfForbidden(scope), [scopeMissing(scope)]])),
  PlantNotFound: [noPlant],
  WebhookNotFound: [noWebhook],
  TooManyTests: [tooManyTests(testMessagesPendingMax)],
  PreconditionFailed: [changedSince],
  UnknownParameter: [unknownParameter(unknownName, [])],
  ContentTooLarge: [bodyTooLarge],
  TooManyRequests: rateLimited,
  UnsupportedMediaType: [otherMediaType(['application/json'])],
  Defect: [defect],
  ReadUnavailable: [unreadable],
  WriteUnavailable: writeFailures,
} satisfies Readonly<Record<string, readonly Failure[]>>;

const describeFailures = (group: readonly Failure[], isRateLimited: boolean) => {
  const codes = [...new Set(group.map(({ code }) => code))].sort((a, b) => errors[a].number - errors[b].number);
  return {
    description: codes.map((code) => `${errors[code].number}: ${errors[code].meaning}`).join(' '),
    headers: headersOf([
      ...Object.keys(headers).filter((name) => codes.some((code) => name.toLowerCase() in errorHeaders(code))),
      ...(isRateLimited && !codes.includes('token_invalid') ? ofRateLimit : []),
    ]),
    content: contentOf(Problem, mapValues(nameFailures(group), toExample)),
  };
};

const toExample = ({ code, message }: Failure) => ({ value: { error: errors[code].number, message } });

/** With a description that does not have the meanings of the numbers, each example has its own. */
const describeAs = (description: string, group: readonly Failure[], isRateLimited: boolean) => ({
  ...describeFailures(group, isRateLimited),
  description,
  content: contentOf(
    Problem,
    mapValues(nameFailures(group), (failure) => ({ summary: errors[failure.code].meaning, ...toExample(failure) })),
  ),
});

/** By the names of their examples: the codes. The name of a second one with the same code ends with a number. */
export const nameFailures = (group: readonly Failure[]): Readonly<Record<string, Failure>> =>
  Object.fromEntries(
    group.map((failure, index) => {
      const { code } = failure;
      const earlier = group.slice(0, index).filter((other) => other.code === code).length;
      return [earlier === 0 ? code : `${code}_${earlier + 1}`, failure];
    }),
  );
