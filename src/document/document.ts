/**
 * The document, OpenAPI 3.1.1. Its paths come from the descriptors that the routes are made of, its schemas are those that
 * validate, and its errors are those of `app-error.ts`.
 */
import { methodOf, type Operation, type Operations, pathOf, type Success } from '../http/operation.ts';
import { checkReferences, componentsOf } from './components.ts';
import { failureResponses, sharedResponses } from './failures.ts';
import { eventMessage, receiverResponses, webhookMessages } from './messages.ts';
import {
  contentOf,
  headers,
  headersOf,
  mapValues,
  ofRateLimit,
  parameters,
  parametersOf,
  withoutRateLimit,
} from './parts.ts';

const intro = `A sample service for OpenAPI 3.1. The server does everything that this document describes.

**Ids are exact signed 64-bit integers.** JavaScript numbers are not exact beyond 2⁵³: \`JSON.parse\` reads 9223372036854775807 as
9223372036854775808. A JavaScript client with larger ids must read them with the \`context.source\` of a reviver and write them with
\`JSON.rawJSON\`, or use a parser that preserves large integers.

**All errors of the service have the same schema**, with a number that identifies the error. Requests that are not valid HTTP, or whose
header section is too large, do not reach the service: the HTTP parser responds with an empty body (400, 413, 431, 505).

**Every response has an \`X-Request-Id\`**, which is also in the log of the service. It is the id from the request if that consists of 1 to
64 letters, digits, \`.\`, \`_\` and \`-\`, and a new one otherwise. The trace id of a valid \`traceparent\` (W3C Trace Context) is in the log
and in the messages to webhooks.

**The operator can set a rate limit.** Each token then has a bucket of requests, which refills steadily. Every response to a request
with a valid token has the size of the bucket (\`RateLimit-Policy\`) and the remaining requests (\`RateLimit\`). A request beyond the limit
gets 429 (42900). Failed authentications from one address are limited in the same way.

**On every path**, HEAD is supported if GET is, and OPTIONS lists the methods in \`Allow\`, as does a 405 response (40500). An unknown path
gets 404 (40401) if the token is valid. An invalid or repeated \`Host\` gets 400 (40002), and so does a repeated or unknown query
parameter. Unknown members of a body are ignored.`;

/** What a process serves can differ. */
interface Settings {
  readonly serverUrl?: string | undefined;
  /** Whether there is a rate limit. Otherwise no response has its headers, and there is no 429. */
  readonly isRateLimited?: boolean;
}

/**
 * `serverUrl` is relative to the address of the document. Throws if the document would be broken: if it refers to something that it does not
 * have, or two schemas have one name.
 */
export const createDocument = (operations: Operations, { serverUrl = '/', isRateLimited = false }: Settings = {}) => {
  const described = { paths: pathsOf(operations, isRateLimited), webhooks: webhookMessages };
  const shared = {
    responses: { ...sharedResponses(isRateLimited), ...receiverResponses },
    parameters,
    headers: isRateLimited ? headers : withoutRateLimit,
  };
  const pathItems = { Event: eventMessage };
  return checkReferences({
    openapi: '3.1.1',
    info: {
      title: 'OpenAPI Plant Store',
      summary: 'A plant store that does everything that its document describes.',
      description: intro,
      contact: { name: 'The Plant Store project' },
      license: { name: 'MIT', identifier: 'MIT' },
      version: '1.0.0',
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: serverUrl, description: 'The host that served this document.' }],
    ...described,
    components: {
      schemas: componentsOf({ ...described, ...shared, pathItems }),
      ...shared,
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          description: 'A token that `plant-store token create` has printed.',
          scheme: 'bearer',
        },
      },
      pathItems,
    },
    security: [{ bearerAuth: [] }],
    tags: [
      { name: 'plants', description: 'The plants in the store.' },
      { name: 'events', description: 'The log of changes to the plants.' },
      {
        name: 'webhooks',
        description: 'Subscriptions to events, and the deliveries to them.',
        externalDocs: { description: 'Standard Webhooks', url: 'https://www.standardwebhooks.com' },
      },
      { name: 'messages', description: 'Requests that this service sends to the receivers of webhooks.' },
      { name: 'token', description: 'The token of the request.' },
      { name: 'metrics', description: 'Metrics of the service for Prometheus.' },
    ],
    externalDocs: { description: 'The OpenAPI Specification 3.1.1', url: 'https://spec.openapis.org/oas/v3.1.1.html' },
  });
};

export type Document = ReturnType<typeof createDocument>;

/** The operations by path and method. Those of one path have the same path parameters. */
const pathsOf = (operations: Operations, isRateLimited: boolean): Readonly<Record<string, object>> => {
  const byPath = Map.groupBy(Object.entries(operations), ([, operation]) => pathOf(operation));
  return Object.fromEntries([...byPath].map(([path, named]) => [path, describePath(named, isRateLimited)]));
};

const describePath = (named: readonly [operationId: string, operation: Operation][], isRateLimited: boolean) => {
  const [inPath] = named.flatMap(([, { parameters }]) => parameters?.path ?? []);
  return {
    ...Object.fromEntries(
      named.map(([id, operation]) => [
        methodOf(operation).toLowerCase(),
        describeOperation(id, operation, isRateLimited),
      ]),
    ),
    ...(inPath && { parameters: parametersOf('path', inPath) }),
  };
};

const describeOperation = (operationId: string, operation: Operation, isRateLimited: boolean) => {
  const { summary, externalDocs, description, scope, body, callbacks } = operation;
  const { query, headers } = operation.parameters ?? {};
  const parameters = [
    ...(query ? parametersOf('query', query) : []),
    ...(headers ? parametersOf('header', headers) : []),
  ];
  return {
    tags: [pathOf(operation).split('/')[1]],
    summary,
    description,
    ...(externalDocs && { externalDocs }),
    operationId,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        description: body.description,
        content: contentOf(body.schema, body.examples, body.mediaTypes),
        required: true,
      },
    }),
    responses: {
      ...mapValues(operation.responses, (response) => describeResponse(response, isRateLimited)),
      ...failureResponses(operation, isRateLimited),
    },
    ...(callbacks && { callbacks }),
    ...(scope && { security: [{ bearerAuth: [scope] }] }),
  };
};

const describeResponse = (
  { description, headers, schema, mediaType, examples, alternative, links }: Success,
  isRateLimited: boolean,
) => ({
  description,
  headers: headersOf([...Object.keys(headers ?? {}), ...(isRateLimited ? ofRateLimit : [])]),
  ...(schema && {
    content: {
      ...contentOf(schema, examples, mediaType === undefined ? undefined : [mediaType]),
      ...(alternative && contentOf(alternative.schema, alternative.examples, [alternative.mediaType])),
    },
  }),
  ...(links && {
    links: Object.fromEntries(
      Object.entries(links.operations).map(([operationId, description]) => [
        operationId,
        { operationId, parameters: { [links.parameter]: links.expression }, description },
      ]),
    ),
  }),
});
