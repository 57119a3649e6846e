/**
 * Schemas that TypeBox lacks: its integer is a double, its `maxLength` counts UTF-16 code units, and a value in a path or a query is
 * text. Elysia checks them with the functions here, and the document shows plain JSON Schema.
 *
 * A function accepts only keywords that its check reads. Any other keyword is a compile error: the document would promise what
 * nothing checks.
 */
import { Kind, type TUnsafe, TypeRegistry } from '@sinclair/typebox';
import { t as elysia } from 'elysia';
import { int64FromCanonical, isInt64 } from '../base/int64.ts';
import { isSecret, secretForm } from '../base/signature.ts';
import { isStorableText } from '../base/text.ts';
import { isInstant } from '../base/time.ts';

interface Wording {
  readonly description: string;
  /** The message for an invalid value. Omitted for values that occur only in responses. */
  readonly error?: string;
  readonly readOnly?: true;
  readonly writeOnly?: true;
}

/** Makes every other keyword than the known ones a compile error, also in a variable, where the compiler accepts more members. */
type NoOthers<Own, Known> = { readonly [Name in Exclude<keyof Own, keyof Known>]: never };

/**
 * Registers a type of values, and its variant that may be null. Returns a function that makes schemas of the type from `keywords` and
 * its options, which are the keywords that `check` reads, and examples.
 */
const kind = <Value, Options extends object = object>(
  name: string,
  keywords: object,
  check: (value: unknown, options: Options) => boolean,
) => {
  TypeRegistry.Set<Options>(name, (schema, value) => check(value, schema));
  TypeRegistry.Set<Options>(`${name}OrNull`, (schema, value) => value === null || check(value, schema));
  return <Own extends Wording & Options>(
    options: Own & NoOthers<Own, Wording & Options>,
  ): TUnsafe<Value> & Pick<Own, keyof Own & ('default' | 'error')> => ({
    ...elysia.Unsafe<Value>({ [Kind]: name, ...keywords }),
    ...options,
  });
};

const OrNull = <Value, Own extends Wording & { examples: (Value | null)[] }>(
  schema: TUnsafe<Value>,
  wording: Own & NoOthers<Own, Wording & { examples: unknown }>,
) =>
  elysia.Unsafe<Value | null>({
    ...schema,
    [Kind]: `${schema[Kind]}OrNull`,
    type: [schema['type'], 'null'],
    ...wording,
  });

/** The bounds are inclusive. Those of int64 itself need not be given. */
const Int64 = kind<bigint, { examples?: bigint[]; minimum?: bigint; maximum?: bigint }>(
  'Int64',
  { type: 'integer', format: 'int64' },
  (value, { minimum, maximum }) =>
    isInt64(value) && (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum),
);

/** JSON Schema counts code points, as `isStorableText` does. `pattern` cannot exclude lone surrogates, but UTF-8 does. */
const pattern = '^[^\\x00]*$';

/** The rule for the format `uri` is that of webhooks, in `webhooks/webhook.ts`. */
const StorableText = kind<string, { maxLength: number; examples?: string[]; format?: 'uri' }>(
  'StorableText',
  { type: 'string', pattern },
  (value, { maxLength }) => isStorableText(value, maxLength),
);

const Instant = kind<string>('Instant', { type: 'string', format: 'date-time' }, isInstant);

const SecretText = kind<string, { examples: string[] }>(
  'SecretText',
  { type: 'string', pattern: secretForm.source },
  (value) => typeof value === 'string' && isSecret(value),
);

/** An int64 in a path. Only the canonical form is valid, so that each plant has one address. */
const CanonicalInt64 = kind<string, { examples: Record<string, bigint> }>(
  'CanonicalInt64',
  { type: 'integer', format: 'int64' },
  (value) => typeof value === 'string' && int64FromCanonical(value) !== undefined,
);

/** An int32 in a query: text in canonical form, or the default, which Elysia inserts. */
const IntegerText = kind<string | number, { minimum: number; maximum: number; default: number; examples?: number[] }>(
  'IntegerText',
  { type: 'integer', format: 'int32' },
  (value, { minimum, maximum }) => {
    const integer = int64FromCanonical(`${value}`);
    return integer !== undefined && BigInt.asIntN(32, integer) === integer && integer >= minimum && integer <= maximum;
  },
);

/** A boolean in a query, as text. */
const BooleanText = kind<boolean | 'true' | 'false', { examples: boolean[] | Record<string, boolean> }>(
  'BooleanText',
  { type: 'boolean' },
  (value) => value === 'true' || value === 'false',
);

/** Whether a value of `BooleanText` is true. */
export const isTrue = (value: boolean | string | undefined): boolean => `${value}` === 'true';

interface TextLimits {
  readonly maxItems: number;
  readonly items: { readonly maxLength: number };
  readonly examples: string[][];
}

/** Different texts, as values of a repeated parameter of a query. A client may send one text alone. */
const Texts = kind<readonly string[] | string, TextLimits>(
  'Texts',
  { type: 'array', uniqueItems: true },
  (value, { maxItems, items }) =>
    Array.isArray(value) &&
    value.length <= maxItems &&
    new Set(value).size === value.length &&
    value.every((text) => isStorableText(text, items.maxLength)),
);

/** At most `maxItems` different texts. */
const TextList = <Own extends Wording & { maxItems: number; maxLength: number; examples: string[][] }>({
  maxLength,
  ...options
}: Own & NoOthers<Own, Wording & { maxItems: number; maxLength: number; examples: string[][] }>) =>
  Texts({ ...options, items: { type: 'string', maxLength, pattern } });

const Words = kind<string, { enum: readonly string[] }>('Enumeration', { type: 'string' }, (value, options) =>
  options.enum.some((known) => known === value),
);

/** One of these words. */
const Enumeration = <const Word extends string, Own extends Wording & { words: readonly Word[] }>({
  words,
  ...wording
}: Own & { words: readonly Word[] } & NoOthers<Own, Wording & { words: unknown }>) =>
  elysia.Unsafe<Word>(Words({ enum: words, ...wording }));

export const kinds = {
  Int64,
  StorableText,
  Instant,
  SecretText,
  CanonicalInt64,
  IntegerText,
  BooleanText,
  TextList,
  Enumeration,
  OrNull,
};
