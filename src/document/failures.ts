/** The errors in the document: numbers and headers by status, with one message of each number. Tests get every message from its operation. */
import { isDeepStrictEqual } from 'node:util';
import {
  bodyTooLarge,
  changedSince,
  defect,
  diskFailed,
  errors,
  type Failure,
  foreignCursor,
  invalidPathId,
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
  unreadable,
  unwritable,
} from '../base/app-error.ts';
import { testMessagesPendingMax } from '../deliveries/delivery.ts';
import { faultsOf, invalidHeaders, invalidParameters, unknownParameter } from '../http/faults.ts';
import { type Operation, queryNamesOf } from '../http/operation.ts';
import { invalidLimit } from '../http/paging.ts';
import { Problem } from '../http/problem.ts';
import { errorHeaders, failureToJson, statusOf } from '../http/response.ts';
import { isChecked } from '../http/schema.ts';
import { type Scope, scopes } from '../tokens/token.ts';
import { contentOf, headers, headersOf, mapValues, ofRateLimit } from './parts.ts';

/** With a rate limit, every operation can also reject a request beyond it. */
export const failuresOf = (operation: Operation, isRateLimited: boolean): Failure[] => {
  const { route, scope, parameters = {}, body, failures = [] } = operation;
  return [
    ...(body ? [malformedJson.syntax, bodyTooLarge, otherMediaType(body.mediaTypes), body.failure] : []),
    ...(Object.values(parameters.path?.properties ?? {}).some(isChecked) ? [invalidPathId] : []),
    ...unauthenticated,
    ...(isRateLimited ? rateLimited : []),
    ...(scope ? [scopeMissing(scope)] : []),
    defect,
    ...(route.startsWith('GET ') ? [unreadable] : writeFailures),
    ...failures,
    invalidParameters(unknownParameter(unknownName, queryNamesOf(operation))),
    ...(parameters.headers ? faultsOf(parameters.headers).map((fault) => invalidHeaders(fault)) : []),
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
    const shared = Object.entries(sharedFailures).find(([, known]) =>
      isDeepStrictEqual(shownOf(known), shownOf(group)),
    );
    return shared ? { $ref: `#/components/responses/${shared[0]}` } : describeFailures(group, isRateLimited);
  });
  if (badRequest === undefined) return responses;
  const status = statusOf('malformed_body');
  return { ...responses, [status]: describeAs(badRequest, byStatus[status] ?? [], isRateLimited) };
};

/** The failures of a status that the document shows: the first of each number, by code, in the order of their numbers. */
export const shownOf = (group: readonly Failure[]): Readonly<Record<string, Failure>> => {
  const firsts = group.filter(({ code }, index) => group.findIndex((other) => other.code === code) === index);
  firsts.sort((a, b) => errors[a.code].number - errors[b.code].number);
  return Object.fromEntries(firsts.map((failure) => [failure.code, failure]));
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
  UnknownParameter: [invalidParameters(unknownParameter(unknownName, []))],
  InvalidQueryOrId: [invalidParameters(unknownParameter(unknownName, [])), invalidPathId],
  InvalidQueryOrCursor: [invalidLimit, foreignCursor],
  ContentTooLarge: [bodyTooLarge],
  TooManyRequests: rateLimited,
  UnsupportedMediaType: [otherMediaType(['application/json'])],
  Defect: [defect],
  ReadUnavailable: [unreadable],
  WriteUnavailable: writeFailures,
} satisfies Readonly<Record<string, readonly Failure[]>>;

const describeFailures = (group: readonly Failure[], isRateLimited: boolean) => {
  const shown = Object.values(shownOf(group));
  return {
    description: shown.map(({ code }) => `${errors[code].number}: ${errors[code].meaning}`).join(' '),
    headers: headersOf([
      ...Object.keys(headers).filter((name) => shown.some(({ code }) => name.toLowerCase() in errorHeaders(code))),
      ...(isRateLimited && !shown.some(({ code }) => code === 'token_invalid') ? ofRateLimit : []),
    ]),
    content: contentOf(Problem, mapValues(shownOf(group), toExample)),
  };
};

const toExample = (failure: Failure) => ({ value: failureToJson(failure) });

/** With a description that does not have the meanings of the numbers, each example has its own. */
const describeAs = (description: string, group: readonly Failure[], isRateLimited: boolean) => ({
  ...describeFailures(group, isRateLimited),
  description,
  content: contentOf(
    Problem,
    mapValues(shownOf(group), (failure) => ({ summary: errors[failure.code].meaning, ...toExample(failure) })),
  ),
});
