/**
 * The document as OpenAPI 3.2.0: the 3.1 document, with additions that only 3.2 can express.
 *
 * Three new members of 3.2 are not used. `$self`: the service has no fixed URI. The name of a server: there is only one server.
 * `defaultMapping`: the list of event types is closed.
 */

import { isObject } from '../base/json.ts';
import type { Members } from '../base/json-pointer.ts';
import { streamedEvents, streams, streamText } from '../events/examples.ts';
import { StreamedEvent } from '../events/schemas.ts';
import { type Examples, type TSchema, toSubschema } from '../http/schema.ts';
import { createdExactPlant, exactPlant, patches } from '../plants/examples.ts';
import { ImportedPlant, PlantPatch, PlantRecord } from '../plants/schemas.ts';
import { csvExports, csvFiles, ndjsonExports, ndjsonFiles } from '../plants/transfer/examples.ts';
import { CsvFile } from '../plants/transfer/schemas.ts';
import { metricLines } from '../telemetry/operations.ts';
import { scopes } from '../tokens/token.ts';
import { checkReferences, componentsOf } from './components.ts';
import type { Document } from './document.ts';
import { nameOfForbidden } from './failures.ts';
import { contentOf, mapValues } from './parts.ts';

export const toOpenApi32 = (document: Document): object => {
  const { info, tags, components } = document;
  const changed = {
    paths: Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, changePath(path, item)])),
  };
  const mediaTypes = 'patch' in (document.paths['/plants/{id}'] ?? {}) && { PlantPatch: plantPatch };
  return checkReferences({
    ...document,
    openapi: '3.2.0',
    info: { ...info, description: `${info.description}\n\n${note}` },
    externalDocs: { description: 'The OpenAPI Specification 3.2.0', url: 'https://spec.openapis.org/oas/v3.2.0.html' },
    tags: tags.map(({ name, ...tag }) => ({ name, summary: capitalize(name), ...tag, ...navigationOf(name) })),
    ...changed,
    components: {
      ...components,
      schemas: { ...components.schemas, ...componentsOf(changed) },
      responses: Object.fromEntries(
        Object.entries(components.responses).map(([name, response]) => [
          name,
          { summary: summaries[name], ...response },
        ]),
      ),
      ...(mediaTypes && { mediaTypes }),
    },
  });
};

const note =
  'This is the OpenAPI 3.2.0 version of `/openapi.json`. It also describes each event of the live stream, shows a stream and a large id exactly as they are sent, and groups the tags.';

const capitalize = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** Messages are requests to webhooks, so navigation shows them below the webhooks. */
const navigationOf = (tag: string): object => ({
  ...(tag === 'messages' && { parent: 'webhooks' }),
  kind: 'nav',
});

/** The descriptions list numbers, so an overview needs something shorter. */
const summaries: Readonly<Record<string, string>> = {
  Unauthorized: 'No valid token',
  ...Object.fromEntries(scopes.map((scope) => [nameOfForbidden(scope), `The scope ${scope} is missing`])),
  PlantNotFound: 'No such plant',
  WebhookNotFound: 'No such webhook',
  TooManyTests: 'Too many tests',
  PreconditionFailed: 'Precondition failed',
  UnknownParameter: 'Unknown query parameter',
  InvalidQueryOrId: 'Invalid query or id',
  InvalidQueryOrCursor: 'Invalid query or cursor',
  ContentTooLarge: 'Content too large',
  TooManyRequests: 'Too many requests',
  UnsupportedMediaType: 'Unsupported media type',
  Defect: 'Internal error',
  ReadUnavailable: 'Unavailable',
  WriteUnavailable: 'Unavailable',
  MessageAccepted: 'Message accepted',
  WebhookDisabled: 'Webhook disabled',
  MessageDeferred: 'Message deferred',
  MessageFailed: 'Message failed',
};

/** Both media types of the body share it. */
const plantPatch = contentOf(PlantPatch, patches)['application/json'];
const sameForBoth = () => ({ $ref: '#/components/mediaTypes/PlantPatch' });

const content = (mediaType: string, changes: Members | (() => object)) => ({ content: { [mediaType]: changes } });

/** In 3.2, `schema` would describe an array of all events, but the stream has no end. The example shows the events, and their text. */
const liveStream = () => ({
  itemSchema: toSubschema(StreamedEvent),
  examples: {
    live: { summary: streams.live.summary, dataValue: streamedEvents, serializedValue: streamText },
  },
});

/** In 3.2, each line of a file has a schema, and the examples are the files exactly. */
const ndjsonOf = (item: TSchema, files: Examples) => () => ({
  itemSchema: toSubschema(item),
  examples: textsOf(files),
});

const textsOf = (examples: Examples) =>
  mapValues(examples, ({ value, ...rest }) => ({ ...rest, serializedValue: value }));

/** The differences in the paths. A member that is undefined is removed. */
const paths: Readonly<Record<string, Members>> = {
  '/plants': {
    post: {
      requestBody: content('application/json', { examples: { exact: exactPlant } }),
      responses: { 200: content('application/json', { examples: { exact: createdExactPlant } }) },
    },
  },
  '/plants/{id}': {
    patch: {
      requestBody: { content: { 'application/merge-patch+json': sameForBoth, 'application/json': sameForBoth } },
    },
  },
  '/import': {
    post: {
      requestBody: {
        content: {
          'application/x-ndjson': ndjsonOf(ImportedPlant, ndjsonFiles),
          'text/csv': () => ({ schema: toSubschema(CsvFile), examples: textsOf(csvFiles) }),
        },
      },
    },
  },
  '/export': {
    get: {
      responses: {
        200: {
          content: {
            'application/x-ndjson': ndjsonOf(PlantRecord, ndjsonExports),
            'text/csv': () => ({ schema: toSubschema(CsvFile), examples: textsOf(csvExports) }),
          },
        },
      },
    },
  },
  '/events': { get: { responses: { 200: content('text/event-stream', liveStream) } } },
  '/metrics': {
    get: {
      responses: {
        200: content('text/plain', { examples: { lines: { value: undefined, serializedValue: metricLines } } }),
      },
    },
  },
};

/** A process that only reads has fewer operations. */
const changePath = (path: string, item: object): unknown =>
  merge(item, Object.fromEntries(Object.entries(paths[path] ?? {}).filter(([method]) => method in item)));

/** Members of both are merged; all other values are those of the changes. A function returns what replaces the original. */
const merge = (original: unknown, changes: unknown): unknown => {
  if (typeof changes === 'function') return changes();
  if (!isObject(original) || !isObject(changes)) return changes;
  const merged = Object.entries(changes).map(([name, change]) => [name, merge(original[name], change)]);
  return { ...original, ...Object.fromEntries(merged) };
};
