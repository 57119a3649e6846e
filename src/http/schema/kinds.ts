/**
 * The kinds of values that TypeBox does not have: its integer is a double, its `maxLength` counts UTF-16 code units, and a value in a
 * path or a query is text. Elysia checks them with these functions. The document shows plain JSON Schema.
 */
import { Kind, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox';
import { int64FromCanonical, isInt64 } from '../../base/int64.ts';
import { isSecret, secretForm } from '../../base/signature.ts';
import { isStorableText } from '../../base/text.ts';
import { isInstant } from '../../base/time.ts';
import { monstera, secret } from '../../domain/sample-data.ts';

interface Wording {
  readonly description: string;
  /** The sentence for an invalid value. Absent for values that occur only in responses. */
  readonly error?: string;
  readonly readOnly?: true;
  readonly writeOnly?: true;
}

/** Registers a kind of schema. Returns a function that makes such schemas from these keywords and its options. */
const kind = <Value, Options extends object = object>(
  name: string,
  keywords: object,
  check: (value: unknown, options: Options) => boolean,
) => {
  TypeRegistry.Set<Options>(name, (schema, value) => check(value, schema));
  TypeRegistry.Set<Options>(`${name}OrNull`, (schema, value) => value === null || check(value, schema));
  return (options: Wording & Options) => Type.Unsafe<Value>({ [Kind]: name, ...keywords, ...options });
};

/** The same kind of values, or null. */
export const orNull = <Value>(schema: TUnsafe<Value>, wording: Wording & { examples: (Value | null)[] }) =>
  Type.Unsafe<Value | null>({
    ...schema,
    [Kind]: `${schema[Kind]}OrNull`,
    type: [schema['type'], 'null'],
    ...wording,
  });

export const int64 = kind<bigint, { examples: bigint[] }>('Int64', { type: 'integer', format: 'int64' }, isInt64);

/** JSON Schema counts code points, as `isStorableText` does. `pattern` cannot exclude lone surrogates, but UTF-8 does. */
const pattern = '^[^\\x00]*$';

export const storableText = kind<string, { maxLength: number; examples?: string[]; format?: string }>(
  'StorableText',
  { type: 'string', pattern },
  (value, { maxLength }) => isStorableText(value, maxLength),
);

export const instant = kind<string>(
  'Instant',
  { type: 'string', format: 'date-time', examples: [monstera.createdAt] },
  isInstant,
);

export const secretText = kind<string>(
  'SecretText',
  { type: 'string', pattern: secretForm.source, examples: [secret] },
  (value) => typeof value === 'string' && isSecret(value),
);

/** An int64 in a path. Only the canonical form is valid, so that each plant has one address. */
export const canonicalInt64 = kind<string, { examples: Record<string, bigint> }>(
  'CanonicalInt64',
  { type: 'integer', format: 'int64' },
  (value) => typeof value === 'string' && int64FromCanonical(value) !== undefined,
);

/** A small positive integer in a query: text, or the default, which Elysia inserts. */
export const integerText = kind<
  string | number,
  { minimum: number; maximum: number; default: number; examples?: number[] }
>(
  'IntegerText',
  { type: 'integer', format: 'int32' },
  (value, { minimum, maximum }) =>
    /^[1-9]\d{0,8}$/.test(`${value}`) && Number(value) >= minimum && Number(value) <= maximum,
);

export const enumeration = <Word extends string>({ words, ...wording }: Wording & { words: readonly Word[] }) =>
  Type.Unsafe<Word>(word({ enum: words, ...wording }));

const word = kind<string, { enum: readonly string[] }>('Enumeration', { type: 'string' }, (value, options) =>
  options.enum.some((known) => known === value),
);
