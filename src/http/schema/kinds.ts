/**
 * The kinds of value that TypeBox lacks: its integer is a double, its `maxLength` counts UTF-16 units, and what comes in a
 * path or a query is text whatever it means. Each is a schema that Elysia checks by the function registered here, and that
 * reads as plain JSON Schema in the document.
 */
import { Kind, Type, TypeRegistry } from '@sinclair/typebox';
import { int64FromCanonical, isInt64 } from '../../base/int64.ts';
import { isSecret, secretForm } from '../../base/signature.ts';
import { isKeepableText } from '../../base/text.ts';
import { isInstant } from '../../base/time.ts';

interface Wording {
  readonly description: string;
  /** The sentence that a caller gets when the value does not hold; needless for what only answers have. */
  readonly error?: string;
  readonly readOnly?: true;
  readonly writeOnly?: true;
}

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** A bigint, from the strict parser. */
export const int64 = (options: Wording & { examples: bigint[] }) =>
  Type.Unsafe<bigint>({ [Kind]: 'Int64', type: 'integer', format: 'int64', ...options });
TypeRegistry.Set('Int64', (_schema, value) => isInt64(value));

/** JSON Schema counts code points, as `isKeepableText` does. What `pattern` cannot say, a lone surrogate, UTF-8 cannot either. */
export const keepableText = (options: Wording & { maxLength: number; examples?: string[]; format?: string }) =>
  Type.Unsafe<string>({ [Kind]: 'KeepableText', type: 'string', pattern, ...options });
TypeRegistry.Set<{ maxLength: number }>('KeepableText', ({ maxLength }, value) => isKeepableText(value, maxLength));

export const keepableTextOrNull = (options: Wording & { maxLength: number; examples: (string | null)[] }) =>
  Type.Unsafe<string | null>({ [Kind]: 'KeepableTextOrNull', type: ['string', 'null'], pattern, ...options });
TypeRegistry.Set<{ maxLength: number }>(
  'KeepableTextOrNull',
  ({ maxLength }, value) => value === null || isKeepableText(value, maxLength),
);

/** A time as this program writes it. */
export const instant = (options: Wording) =>
  Type.Unsafe<string>({
    [Kind]: 'Instant',
    type: 'string',
    format: 'date-time',
    examples: ['2026-05-01T09:30:00.000Z'],
    ...options,
  });
TypeRegistry.Set('Instant', (_schema, value) => isInstant(value));

/** A secret of Standard Webhooks. */
export const secretText = (options: Wording) =>
  Type.Unsafe<string>({
    [Kind]: 'SecretText',
    type: 'string',
    pattern: secretForm.source,
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ...options,
  });
TypeRegistry.Set('SecretText', (_schema, value) => typeof value === 'string' && isSecret(value));

/** An int64 in a path, which has one spelling, so that a plant has one address. */
export const canonicalInt64 = (options: Wording) =>
  Type.Unsafe<string>({ [Kind]: 'CanonicalInt64', type: 'integer', format: 'int64', ...options });
TypeRegistry.Set(
  'CanonicalInt64',
  (_schema, value) => typeof value === 'string' && int64FromCanonical(value) !== undefined,
);

/** One of a closed list of words. */
export const enumeration = <Word extends string>({ words, ...options }: Wording & { words: readonly Word[] }) =>
  Type.Unsafe<Word>({ [Kind]: 'Enumeration', type: 'string', enum: [...words], ...options });
TypeRegistry.Set<{ enum: string[] }>('Enumeration', (schema, value) => schema.enum.some((known) => known === value));

/** A small positive integer in a query: text, or the default, which Elysia puts in where there is none. */
export const integerText = (options: Wording & Bounds & { default: number }) =>
  Type.Unsafe<string | number>({ [Kind]: 'IntegerText', type: 'integer', format: 'int32', ...options });
TypeRegistry.Set<Bounds>(
  'IntegerText',
  ({ minimum, maximum }, value) =>
    /^[1-9]\d{0,8}$/.test(`${value}`) && Number(value) >= minimum && Number(value) <= maximum,
);

const pattern = '^[^\\u0000]*$';
