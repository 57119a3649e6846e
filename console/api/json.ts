/**
 * JSON with 64-bit integers. `JSON.parse` gives the source text of a number, so that an id is exact; browsers from before 2025 lack it, and
 * round ids beyond 2^53. The page shows such an id as inexact, and offers no change for it.
 */
import { int64Members } from '../../examples/eden/client.ts';

interface Source {
  readonly source?: string;
}

/** Whether `JSON.parse` of this browser gives the source text of a number. */
export const hasSourceText = (): boolean =>
  JSON.parse('1', (_name, _value, context?: Source) => context?.source) === '1';

/** The members of the format int64 are BigInts, as in the types. */
export const readJson = (text: string): unknown =>
  JSON.parse(text, (name, value, context?: Source) =>
    Number.isInteger(value) && int64Members.includes(name) ? BigInt(context?.source ?? value) : value,
  );

/** Whether `id`, which `readJson` has returned, is the one in the text. A rounded one is beyond 2^53. */
export const isExact = (id: bigint, hasSource = hasSourceText()): boolean =>
  hasSource || (id > -(2n ** 53n) && id < 2n ** 53n);

/** An id to read. A rounded one says so. */
export const wordsForId = (id: bigint): string => (isExact(id) ? `${id}` : `about ${id}`);

/** The JSON of an object whose members are BigInts, texts or null. Undefined members are omitted. */
export const writeJson = (members: Readonly<Record<string, bigint | string | null | undefined>>): string =>
  `{${Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${typeof value === 'bigint' ? value : JSON.stringify(value)}`)
    .join(',')}}`;
