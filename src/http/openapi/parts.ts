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

export const mapValues = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Result,
): Record<string, Result> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
