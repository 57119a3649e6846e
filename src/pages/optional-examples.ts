/**
 * The document for Scalar, which sends every optional parameter that has an example, unless the example has a name and `x-disabled`. The
 * published document has no member of one viewer.
 */
import type { Document } from '../document/document.ts';

export const disableOptional = (document: Document): object => Object.fromEntries(membersOf(document));

const membersOf = (value: object): [string, unknown][] =>
  Object.entries(value).map(([name, member]) => [name, disable(member)]);

/** A number that is exact as text is not copied. */
const disable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(disable);
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  if (!isOptionalParameter(value)) return Object.fromEntries(membersOf(value));
  const examples = Object.entries(value.examples).map(([name, example]) => [name, { ...example, 'x-disabled': true }]);
  return { ...value, examples: Object.fromEntries(examples) };
};

const isOptionalParameter = (value: object): value is { examples: Readonly<Record<string, object>> } =>
  'in' in value && 'schema' in value && 'examples' in value && !('required' in value);
