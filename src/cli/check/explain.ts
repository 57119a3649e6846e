/** What a schema refuses, in plain words. Of the alternatives of a failed `oneOf` or `anyOf`, only the nearest is explained. */
import { isObject } from '../../base/json.ts';
import { memberOf, valueAt } from '../../base/json-pointer.ts';
import type { Refusal } from './schema.ts';

export interface Reason {
  /** The part of the value that is refused, as a JSON Pointer. */
  readonly pointer: string;
  /** What is wrong with it, as the rest of a sentence that begins with its name. */
  readonly words: string;
  readonly refusal: Refusal;
}

/** One reason for each keyword that refuses something itself, without those that only follow from others. */
export const explain = (refusals: readonly Refusal[], value: unknown): Reason[] =>
  withoutConsequences(refusals).flatMap((refusal) => explainOne(refusal, value));

const explainOne = (refusal: Refusal, value: unknown): Reason[] => {
  const { keyword, pointer, within } = refusal;
  const found = valueAt(value, pointer);
  const say = (words: string): Reason => ({ pointer, words, refusal });
  if (isTypeWithNull(pointer, found)) return [say(nullWithoutQuotes)];
  if (keyword === 'oneOf' || keyword === 'anyOf') return explainAlternatives(refusal, value);
  if (within.length > 0 && !whole.has(keyword)) return explain(within, value);
  return [say(words[keyword]?.(refusal.expected, found) ?? `does not satisfy the keyword \`${keyword}\``)];
};

/** A member that is refused elsewhere also counts as one that no schema knows. */
const withoutConsequences = (refusals: readonly Refusal[]): readonly Refusal[] => {
  const causes = refusals.filter(({ keyword }) => !keyword.startsWith('unevaluated'));
  return causes.length > 0 ? causes : refusals;
};

/** `type: [string, null]`, where YAML reads the value null and no name. */
const isTypeWithNull = (pointer: string, found: unknown): boolean =>
  /\/type(?:\/\d+)?$/.test(pointer) && (found === null || (Array.isArray(found) && found.includes(null)));

const nullWithoutQuotes =
  "has null without quotes, which YAML reads as no value. The type is the text 'null': write [string, 'null']";

/** Their parts cannot be explained alone. */
const whole: ReadonlySet<string> = new Set(['not', 'contains', 'propertyNames', 'if']);

const explainAlternatives = (refusal: Refusal, value: unknown): Reason[] => {
  const { keyword, location, expected, pointer, within } = refusal;
  const alternatives = Array.isArray(expected) ? expected : [];
  const refused = alternatives.map((_, index) =>
    within.filter((one) => `${one.location}/`.startsWith(`${location}/${index}/`)),
  );
  const say = (words: string): Reason => ({ pointer, words, refusal });
  const matching = alternatives.filter((_, index) => refused[index]?.length === 0);
  if (matching.length > 1)
    return [
      say(
        `matches ${matching.length} alternatives of \`${keyword}\`, and must match one: ${listOf(alternatives, matching)}`,
      ),
    ];
  const constants = alternatives.map((alternative) => memberOf(alternative, 'const'));
  if (constants.length > 0 && constants.every((constant) => constant !== undefined))
    return [say(`must be one of ${inJson(constants)}`)];
  const nearest = refused
    .map((refusals, index) => ({ index, reasons: explain(refusals, value) }))
    .map((one) => ({ ...one, distance: one.reasons.reduce((sum, reason) => sum + weightOf(reason, pointer), 0) }))
    .sort((one, other) => one.distance - other.distance)[0];
  if (nearest === undefined) return [say(`matches no alternative of \`${keyword}\``)];
  const name = nameOf(alternatives[nearest.index], nearest.index);
  return nearest.reasons.map((reason) => ({
    ...reason,
    words: `${reason.words}${nearestOf(reason, name, alternatives.length)}`,
  }));
};

const nearestOf = ({ words }: Reason, name: string, count: number): string =>
  count < 2 || words.includes('nearest of') ? '' : `, in ${name}, the nearest of ${count} alternatives`;

/** A wrong type or constant says that another alternative was meant. */
const weightOf = ({ pointer, refusal }: Reason, at: string): number => {
  const depth = pointer.slice(at.length).split('/').length - 1;
  if (refusal.keyword === 'required') return itemsOf(refusal.expected).length;
  if (depth > 1 || !['type', 'const', 'enum'].includes(refusal.keyword)) return 1;
  return depth === 0 ? 100 : 10;
};

const listOf = (all: readonly unknown[], some: readonly unknown[]): string =>
  some.map((one) => nameOf(one, all.indexOf(one))).join(' and ');

const nameOf = (alternative: unknown, index: number): string => {
  const reference = memberOf(alternative, '$ref') ?? memberOf(alternative, '$dynamicRef');
  const target = isObject(reference) ? reference['href'] : reference;
  const title = memberOf(alternative, 'title');
  if (typeof target === 'string') return target.slice(target.lastIndexOf('/') + 1);
  return typeof title === 'string' ? title : `alternative ${index + 1}`;
};

/** By keyword. `expected` is its value in the schema, and `found` the part of the value. */
const words: Readonly<Record<string, (expected: unknown, found: unknown) => string>> = {
  type: (expected, found) => `is ${typeOf(found)}, and must be ${typesIn(expected)}`,
  const: (expected) => `must be ${inJson([expected])}`,
  enum: (expected) => `must be one of ${inJson(itemsOf(expected))}`,
  required: (expected, found) =>
    `lacks ${inCode(itemsOf(expected).filter((name) => memberOf(found, `${name}`) === undefined))}`,
  validate: () => 'is not allowed here',
  minimum: (expected) => `must be at least ${expected}`,
  exclusiveMinimum: (expected) => `must be more than ${expected}`,
  maximum: (expected) => `must be at most ${expected}`,
  exclusiveMaximum: (expected) => `must be less than ${expected}`,
  multipleOf: (expected) => `must be a multiple of ${expected}`,
  minLength: (expected) => `must have at least ${expected} characters`,
  maxLength: (expected) => `must have at most ${expected} characters`,
  pattern: (expected) => `must match the pattern ${expected}`,
  minItems: (expected) => `must have at least ${expected} items`,
  maxItems: (expected) => `must have at most ${expected} items`,
  uniqueItems: () => 'has an item twice',
  minProperties: (expected) => `must have at least ${expected} members`,
  maxProperties: (expected) => `must have at most ${expected} members`,
  not: () => 'matches the schema in `not`, and must not',
  contains: () => 'has no item that matches `contains`',
  propertyNames: () => 'has a member whose name is not allowed',
};

const typesIn = (expected: unknown): string =>
  itemsOf(expected)
    .map((type) => articles[`${type}`] ?? type)
    .join(' or ');

const articles: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
};

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : (articles[typeof value] ?? typeof value);

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const inCode = (names: readonly unknown[]): string => names.map((name) => `\`${name}\``).join(', ');

const inJson = (values: readonly unknown[]): string => {
  const shown = values.slice(0, valuesMax).map((value) => JSON.stringify(value));
  return [...shown, ...(values.length > valuesMax ? ['…'] : [])].join(', ');
};

const valuesMax = 20;
