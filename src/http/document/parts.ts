/** What the pieces of the document are put together from. */
import type { TSchema } from '@sinclair/typebox';
import type { Examples } from '../operation.ts';
import { toSubschema } from '../schema/shape.ts';

/** A body in JSON. */
export const json = (schema: TSchema, examples?: Examples) => ({
  'application/json': { schema: toSubschema(schema), ...(examples && { examples }) },
});

export const mapValues = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Result,
): Record<string, Result> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
