/** What the operations of the document are put together from. */
import type { TObject } from '@sinclair/typebox';
import type { ErrorCode } from '../domain/error.ts';
import type { Scope } from '../domain/token.ts';
import { Delivery } from './delivery-schemas.ts';
import { EventPlace, PlantCreated, PlantDeleted, PlantUpdated, WebhookTest } from './event-schemas.ts';
import { problems, statusOf } from './problem.ts';
import { NewPlant, Plant, PlantPatch, PlantRecord, Problem, Token, toJsonSchema } from './schemas.ts';
import { NewWebhook, Webhook, WebhookWithSecret } from './webhook-schemas.ts';

const components = {
  Plant,
  NewPlant,
  PlantRecord,
  PlantPatch,
  PlantCreated,
  PlantUpdated,
  PlantDeleted,
  WebhookTest,
  Event: EventPlace,
  NewWebhook,
  Webhook,
  WebhookWithSecret,
  Delivery,
  Token,
  Error: Problem,
};

/** The schemas that the document shares, by their names in it. */
export const schemas = () => {
  const shared = mapValues(components, toJsonSchema);
  return { ...shared, Event: { ...shared['Event'], ...oneOfEvents } };
};

/** What every read, every write and every body can fail with. */
export const readFailures = ['token_missing', 'token_invalid', 'scope_missing', 'defect', 'unavailable'] as const;
export const writeFailures = [...readFailures, 'outcome_unknown'] as const;
export const bodyFailures = ['malformed_body', 'invalid_body', 'body_too_large', 'unsupported_media_type'] as const;

export type SchemaName = keyof typeof components;

export const ref = (name: SchemaName) => ({ $ref: pointerTo(name) });

const pointerTo = (name: SchemaName) => `#/components/schemas/${name}`;

/** What happened, told by the type. */
const oneOfEvents = {
  oneOf: [ref('PlantCreated'), ref('PlantUpdated'), ref('PlantDeleted')],
  discriminator: {
    propertyName: 'type',
    mapping: {
      'plant.created': pointerTo('PlantCreated'),
      'plant.updated': pointerTo('PlantUpdated'),
      'plant.deleted': pointerTo('PlantDeleted'),
    },
  },
};

export const json = (schema: object, examples?: Examples) => ({
  'application/json': { schema, ...(examples && { examples }) },
});

/** By name; a request and its answer have the same. Tests send each request, and want that answer. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

/** Operations that an answer leads to, each with the parameter that it takes from it. */
export const linksTo = (parameter: string, expression: string, operations: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(operations).map(([operationId, description]) => [
      operationId,
      { operationId, description, parameters: { [parameter]: expression } },
    ]),
  );

export const header = (description: string, format?: string) => ({
  description,
  required: true,
  schema: { type: 'string', ...(format && { format }) },
});

/** One that is not always there. */
export const optionalHeader = (description: string) => ({ ...header(description), required: false });

export const nextLink = optionalHeader('The next page (RFC 8288), relative to this one; absent on the last page.');

export const noStore = header('Always `no-store`.');

export const etag = header('The version of the plant, as a strong entity tag.');

export const conditionHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});

export const ifMatch = conditionHeader(
  'If-Match',
  'Versions of which the plant must have one: entity tags, or `*` for any.',
);

/** A parameter for each property of the schema; its description moves to where OpenAPI wants it. */
export const parametersOf = (place: 'path' | 'query', { properties }: TObject) =>
  Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = toJsonSchema(property);
    return { name, in: place, ...(place === 'path' && { required: true }), description, schema };
  });

export const needs = (scope: Scope) => [{ bearerAuth: [scope] }];

/** The responses for these errors, one a status, each with a list of the `error` numbers that it can carry. */
export const failures = (...codes: ErrorCode[]) =>
  mapValues(Object.groupBy(codes, statusOf), (group = []) => ({
    description: describe(group),
    headers: Object.assign({ 'Cache-Control': noStore }, ...group.map((code) => extraHeaders[code] ?? {})),
    content: json(ref('Error')),
  }));

/** The specification calls the failure of a create "unexpected error"; so does every failure of its kind. */
const describe = (codes: readonly ErrorCode[]): string =>
  codes.some((code) => code === 'malformed_body')
    ? 'unexpected error'
    : codes.map((code) => `${problems[code].error}: ${problems[code].description}`).join(' ');

/** Headers that an error adds, as `problem.ts` writes them. */
const challenge = { 'WWW-Authenticate': header('A challenge by RFC 6750.') };
const extraHeaders: Partial<Record<ErrorCode, object>> = {
  token_missing: challenge,
  token_invalid: challenge,
  scope_missing: challenge,
  body_too_large: { Connection: header('Always `close`.') },
  unavailable: { 'Retry-After': optionalHeader('Seconds to wait; absent when the outcome is unknown.') },
};

const mapValues = <Value, Result>(
  record: Record<string, Value>,
  map: (value: Value) => Result,
): Record<string, Result> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
