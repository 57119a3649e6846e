/** What the operations of the document are put together from. */
import type { TSchema } from '@sinclair/typebox';
import type { Scope } from '../../domain/token.ts';
import { ref } from '../schemas/shape.ts';

/** By name; a request and its answer have the same. Tests send each request, and want that answer. */
export type Examples = Readonly<Record<string, Example>>;

export interface Example {
  readonly summary: string;
  readonly value: object;
}

export const json = (schema: object, examples?: Examples) => ({
  'application/json': { schema, ...(examples && { examples }) },
});

export const listOf = (schema: TSchema) => ({ type: 'array', items: ref(schema) });

/** Operations that an answer leads to, each with the parameter that it takes from it. */
export const linksTo = (parameter: string, expression: string, operations: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(operations).map(([operationId, description]) => [
      operationId,
      { operationId, description, parameters: { [parameter]: expression } },
    ]),
  );

export const needs = (scope: Scope) => [{ bearerAuth: [scope] }];

const textHeader = (description: string, format?: string) => ({
  description,
  required: true,
  schema: { type: 'string', ...(format && { format }) },
});

/** One that is not always there. */
export const optionalHeader = (description: string) => ({ ...textHeader(description), required: false });

/** The headers of answers, as the document shares them. */
export const headers = {
  'Cache-Control': textHeader('Always `no-store`.'),
  Connection: textHeader('Always `close`.'),
  ETag: textHeader('The version of the plant, as a strong entity tag.'),
  Link: optionalHeader('The next page (RFC 8288), relative to this one; absent on the last page.'),
  Location: textHeader('The path of what was created.', 'uri-reference'),
  'Retry-After': optionalHeader('Seconds to wait; absent when the outcome is unknown.'),
  'WWW-Authenticate': textHeader('A challenge by RFC 6750.'),
};

/** The headers of an answer, by reference. */
export const headersOf = (...names: readonly (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const mapValues = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Result,
): Record<string, Result> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
