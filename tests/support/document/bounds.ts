/** The bounds in the schemas of requests, with the values at each bound and one past it. */

import { operations as served } from '../../../src/app/app.ts';
import { int64Max, int64Min } from '../../../src/base/int64.ts';
import { type Json, parseJson } from '../../../src/base/json.ts';
import { namesIn } from '../../../src/base/json-pointer.ts';
import { createDocument } from '../../../src/document/document.ts';

/** A schema of the document, with integers as bigint, since a bound can be beyond 2^53. */
export type Schema = Readonly<Record<string, Json>>;

const isSchema = (value: Json | undefined): value is { [keyword: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const document = parseJson(JSON.stringify(createDocument(served)));

/** The value in the document at this JSON Pointer, with its reference followed. Throws if it is not an object. */
export const schemaAt = (pointer: string): Schema => {
  const found = namesIn(pointer).reduce<Json | undefined>((node, name) => {
    if (Array.isArray(node)) return node[Number(name)];
    return isSchema(node) ? node[name] : undefined;
  }, document);
  return follow(found, pointer);
};

/** The schema, or the target of a reference. Throws for what is not an object. */
export const follow = (schema: Json | undefined, pointer: string): Schema => {
  if (!isSchema(schema)) throw new Error(`The document has no object at ${pointer}.`);
  return '$ref' in schema ? schemaAt(`${schema['$ref']}`) : schema;
};

/** A part of a value: the names of the members that lead to it, and its schema. The name of an item is 0. */
export interface Part {
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** The value itself, its members and its items. */
export const partsOf = (schema: Schema, path: readonly string[] = []): Part[] => [
  { path, schema },
  ...Object.entries(isSchema(schema['properties']) ? schema['properties'] : {}).flatMap(([name, member]) =>
    partsOf(follow(member, name), [...path, name]),
  ),
  ...(schema['items'] === undefined ? [] : partsOf(follow(schema['items'], 'items'), [...path, '0'])),
];

export interface Bounded {
  readonly valid: readonly Json[];
  readonly invalid: readonly Json[];
}

/** The values at the bounds of a schema, and those past them. Throws for a keyword that is not known here. */
export const boundsOf = (schema: Schema): Bounded => {
  const found = Object.entries(schema).map(([keyword, value]) => {
    const bounds = keywords[keyword];
    if (!bounds) throw new Error(`The tests of bounds do not know the keyword ${keyword}.`);
    return bounds(value, schema);
  });
  return { valid: found.flatMap(({ valid }) => valid), invalid: found.flatMap(({ invalid }) => invalid) };
};

const none: Bounded = { valid: [], invalid: [] };
const unbounded = () => none;

const keywords: Readonly<Record<string, (value: Json, schema: Schema) => Bounded>> = {
  minimum: (value) => ({ valid: [value], invalid: [integer(value) - 1n] }),
  maximum: (value) => ({ valid: [value], invalid: [integer(value) + 1n] }),
  format: (value, { minimum, maximum }) => {
    const [min, max] = ranges[`${value}`] ?? [];
    const low = min !== undefined && minimum === undefined ? { valid: [min], invalid: [min - 1n] } : none;
    const high = max !== undefined && maximum === undefined ? { valid: [max], invalid: [max + 1n] } : none;
    return { valid: [...low.valid, ...high.valid], invalid: [...low.invalid, ...high.invalid] };
  },
  minLength: (value, schema) => ({ valid: [text(schema, value)], invalid: [text(schema, integer(value) - 1n)] }),
  maxLength: (value, schema) => ({ valid: [text(schema, value)], invalid: [text(schema, integer(value) + 1n)] }),
  minItems: (value, schema) => ({ valid: [items(schema, value)], invalid: [items(schema, integer(value) - 1n)] }),
  maxItems: (value, schema) => ({ valid: [items(schema, value)], invalid: [items(schema, integer(value) + 1n)] }),
  uniqueItems: (_value, schema) => {
    const [item = null] = items(schema, 1n);
    return { valid: [[item]], invalid: [[item, item]] };
  },
  enum: (value) => {
    const words = Array.isArray(value) ? value : [];
    return { valid: words, invalid: words.map((word) => `${word}x`) };
  },
  type: (value) => (Array.isArray(value) && value.includes('null') ? { valid: [null], invalid: [] } : none),
  // Other tests send values of another type, and those that a pattern refuses.
  pattern: unbounded,
  properties: unbounded,
  items: unbounded,
  required: unbounded,
  additionalProperties: unbounded,
  description: unbounded,
  examples: unbounded,
  default: unbounded,
  readOnly: unbounded,
  writeOnly: unbounded,
};

const ranges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [int64Min, int64Max],
};

const integer = (value: Json): bigint => {
  if (typeof value !== 'bigint') throw new Error(`The bound ${value} is not an integer.`);
  return value;
};

/** A text of this number of code points, most of which are two units of UTF-16. It begins as the example does. A URI is ASCII. */
const text = ({ examples, format }: Schema, length: Json): string => {
  const [example] = Array.isArray(examples) ? examples : [];
  const beginning = typeof example === 'string' ? [...example] : [];
  const rest = Array.from({ length: Number(length) }, () => (format === 'uri' ? 'x' : '🪴'));
  return [...beginning, ...rest].slice(0, Number(length)).join('');
};

/** This number of different items. Throws if the schema of an item does not have that many known values. */
const items = ({ items: item }: Schema, length: Json): Json[] => {
  const schema = follow(item, 'items');
  const { valid } = boundsOf(schema);
  // Any short text is valid.
  if ('maxLength' in schema) return Array.from({ length: Number(length) }, (_, index) => `${index}`);
  if (valid.length < Number(length)) throw new Error(`No array of ${length} different items is known.`);
  return valid.slice(0, Number(length));
};
