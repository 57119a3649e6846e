/**
 * `Prefer: code=503` in the demo (RFC 7240): a request that every check of an operation accepts gets the documented response of
 * that status, instead of being handled. So clients can be tested with responses that nothing else produces.
 */
import type { Services } from '../app/services.ts';
import { AppError, type Failure, unknownPreferredCode, unknownPreferredExample } from '../base/app-error.ts';
import { failuresOf, shownOf } from '../document/failures.ts';
import { preferredType } from '../http/media-type.ts';
import { handlerOf, type Operation, type Operations, type Success } from '../http/operation.ts';
import { statusOf, toResponse } from '../http/response.ts';
import { versionOf } from '../plants/plant.ts';
import { monstera } from '../plants/sample.ts';
import type { Scope } from '../tokens/token.ts';

/** The same operations for the document, with other handlers. */
export const withPreferences = (operations: Operations): Operations =>
  Object.fromEntries(
    Object.entries(operations).map(([operationId, operation]) => [operationId, withPreference(operation)]),
  );

const withPreference = (operation: Operation): Operation => ({
  ...operation,
  handler: (services: Services) => {
    const handle = handlerOf(operation, services);
    const isRateLimited = services.config.rateLimit !== undefined;
    return (input) => respond(operation, isRateLimited, input.request.headers) ?? handle(input);
  },
});

/** The preferred response. Undefined without a preference. Throws AppError `invalid_query` if the document does not have it. */
const respond = (operation: Operation, isRateLimited: boolean, headers: Headers): Response | undefined => {
  const preferences = readPreferences(headers.get('prefer') ?? '');
  const code = preferences.get('code');
  if (code === undefined) return undefined;
  const status = /^\d{3}$/.test(code) ? Number(code) : 0;
  const documented = operation.responses[status];
  const example = documented ? undefined : preferences.get('example');
  const response = documented
    ? succeed(status, documented, headers)
    : fail(failuresOf(operation, isRateLimited), operation.scope, status, example);
  response.headers.set('preference-applied', `code=${code}${example === undefined ? '' : `, example=${example}`}`);
  response.headers.append('vary', 'Prefer');
  return response;
};

/** The first example, in the media type that the client prefers. */
const succeed = (status: number, documented: Success, accepted: Headers): Response => {
  const { mediaType = 'application/json', examples = {}, alternatives = [] } = documented;
  const preferred = preferredType(accepted, [mediaType, ...alternatives.map((other) => other.mediaType)]);
  const content = alternatives.find((other) => other.mediaType === preferred) ?? { mediaType, examples };
  const [example] = Object.values(content.examples);
  const headers = new Headers(alternatives.length > 0 ? { vary: 'Accept' } : {});
  for (const [name, value] of Object.entries(documented.headers ?? {}))
    if (value !== undefined) headers.set(name, value);
  if (example === undefined) return new Response(null, { status, headers });
  headers.set('content-type', content.mediaType);
  const { value } = example;
  const isRaw = typeof value === 'string' || value instanceof Uint8Array;
  return new Response(isRaw ? value : JSON.stringify(value), { status, headers });
};

const fail = (documented: readonly Failure[], scope: Scope | undefined, status: number, name?: string): Response => {
  const failures = Object.values(shownOf(documented.filter(({ code }) => statusOf(code) === status)));
  if (failures.length === 0) throw new AppError(unknownPreferredCode);
  const failure = failures.find(({ code }) => code === (name ?? code));
  if (!failure) throw new AppError(unknownPreferredExample);
  return toResponse(new AppError(failure, { ...(scope && { scope }), version: versionOf(monstera) }));
};

/**
 * Reads a `Prefer` header (RFC 7240 §2): the values of the preferences, by their names in lower case. The first of a repeated
 * preference counts. The value is empty if there is none. Parameters are ignored.
 */
export const readPreferences = (header: string): ReadonlyMap<string, string> => {
  const preferences = new Map<string, string>();
  for (const [element] of header.matchAll(elementForm)) {
    const [, name = '', quoted, bare = ''] = preferenceForm.exec(element) ?? [];
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare.trim();
    if (!preferences.has(name.toLowerCase())) preferences.set(name.toLowerCase(), value);
  }
  return preferences;
};

/** An element of the list. A comma in a quoted string, which may lack its end, is a part of it. */
const elementForm = /(?:"(?:[^"\\]|\\.|\\$)*(?:"|$)|[^",])+/g;

const preferenceForm = /^\s*([^\s=;]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*)))?/;
