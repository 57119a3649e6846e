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

const intro =
  'A store of plants with webhooks and a live log, to learn and to teach OpenAPI 3.1: the service does everything that this document describes. Ids are exact 64-bit integers, which `JSON.parse` rounds beyond 2⁵³.';

const tags = [
  {
    name: 'plants',
    description:
      'The plants in the store. A client sends a `NewPlant` to create one; the response is a `Plant`, which has no id. All other responses have a `PlantRecord`: the `NewPlant`, with the times of its creation and of its last change.',
  },
  {
    name: 'pictures',
    description:
      'The picture of a plant, as bytes. It is sent as they are, or in a form, and read as bytes, or in base64 as a part of JSON.',
  },
  { name: 'events', description: 'The log of changes to the plants, as pages and as a live stream.' },
  {
    name: 'webhooks',
    description: 'Subscriptions to events, and the deliveries to them.',
    externalDocs: { description: 'Standard Webhooks', url: 'https://www.standardwebhooks.com' },
  },
  { name: 'deliveries', description: 'The deliveries to all webhooks.' },
  {
    name: 'messages',
    description:
      'Requests that this service sends to the receivers of webhooks, at least once and in any order. The URL is that of the webhook, such as https://receiver.example.com/plants. A receiver verifies the signature first. It responds with 2xx once the message is stored, and with 401 if the signature is invalid. The examples of a header and of a body with the same name belong together.',
  },
  { name: 'token', description: 'The token of the request.' },
  { name: 'metrics', description: 'Metrics of the service for Prometheus.' },
];

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
    tags,
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
  const { tag, summary, externalDocs, description, scope, body, upload, callbacks } = operation;
  const { query, headers } = operation.parameters ?? {};
  const parameters = [
    ...(query ? parametersOf('query', query) : []),
    ...(headers ? parametersOf('header', headers) : []),
  ];
  return {
    tags: [tag ?? pathOf(operation).split('/')[1]],
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
    ...(upload && {
      requestBody: {
        description: upload.description,
        content: Object.assign(
          {},
          ...Object.entries(upload.contents).map(([name, { schema, examples, encoding }]) =>
            mapValues(contentOf(schema, examples, [name]), (content) => ({
              ...content,
              ...(encoding && { encoding }),
            })),
          ),
        ),
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
  { description, headers, schema, mediaType, examples, alternatives = [], links }: Success,
  isRateLimited: boolean,
) => ({
  description,
  headers: headersOf([...Object.keys(headers ?? {}), ...(isRateLimited ? ofRateLimit : [])], headers),
  ...(schema && {
    content: Object.assign(
      contentOf(schema, examples, mediaType === undefined ? undefined : [mediaType]),
      ...alternatives.map(({ schema, examples, mediaType }) => contentOf(schema, examples, [mediaType])),
    ),
  }),
  ...(links && {
    links: Object.fromEntries(
      links.operations.map((operationId) => [
        operationId,
        { operationId, parameters: { [links.parameter]: links.expression } },
      ]),
    ),
  }),
});
