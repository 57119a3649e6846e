/**
 * A strict parser of JSON (RFC 8259, RFC 7493), with exact integers. `JSON.parse` checks the grammar, and its reviver reads
 * integers from their source text. A pass before it finds what `JSON.parse` accepts: duplicate names, and a nesting so deep
 * that the reviver would overflow the stack.
 *
 * No library does this: lossless-json accepts duplicate names with equal values and has no limit on depth, and json-bigint accepts
 * raw control characters. Neither is faster.
 */
import { int64FromNumeral } from './int64.ts';
import { decodeUtf8 } from './text.ts';

/**
 * The deepest nesting of arrays and objects; a scalar alone is at depth 0.
 *
 * @limit Requests | Nesting of arrays and objects in a body | 400
 */
export const depthMax = 32;

/** The value of a text. An integer that fits in 64 bits is a bigint; any other number is a number. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json };

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Why a text is invalid. `syntax` includes trailing data. */
export type JsonFault = 'syntax' | 'encoding' | 'byteOrderMark' | 'depth' | 'repeatedName';

export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault);
    this.fault = fault;
  }
}

/** Reads one JSON text in UTF-8, without a byte order mark. Throws as `parseJson` does. */
export const parseJsonBytes = (bytes: Uint8Array): Json => {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new JsonError('encoding');
  if (text.startsWith('\uFEFF')) throw new JsonError('byteOrderMark');
  return parseJson(text);
};

/**
 * Reads one JSON text. Throws JsonError for bad syntax, trailing data, a duplicate name, and nesting deeper than `depthMax`.
 * A member named `__proto__` is a member like any other.
 */
export const parseJson = (text: string): Json => {
  const plain = parsePlain(text);
  if (plain) return plain;
  try {
    checkStructure(text);
    return JSON.parse(text, reviveInteger);
  } catch (error) {
    throw error instanceof SyntaxError ? new JsonError('syntax') : error;
  }
};

/**
 * A fast path for most bodies: one flat object, without escapes, of strings and of integers that are exact as a double.
 * Undefined for any other text, and for an invalid one.
 */
const parsePlain = (text: string): Json | undefined => {
  if (!plainForm.test(text)) return undefined;
  let value: { [name: string]: Json };
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  let names = 0;
  for (const name in value) {
    names += 1;
    const member = value[name];
    if (typeof member === 'number') value[name] = BigInt(member);
  }
  // Without escapes, only the end of a name has a quote and a colon.
  return names === text.split('":').length - 1 ? value : undefined;
};

const plainForm = /^\{(?:"[^"\\]*":(?:"[^"\\]*"|-?[1-9]\d{0,14}|0),?)+\}$/;

const reviveInteger = (_name: string, value: Json, { source }: { source?: string } = {}): Json =>
  typeof value === 'number' && source !== undefined ? (int64FromNumeral(source) ?? value) : value;

/** Rejects deep nesting and duplicate names. It may accept a text that is not JSON, since `JSON.parse` rejects that. */
const checkStructure = (text: string): void => {
  /** The names so far of each open object; undefined for an array. */
  const openNames: (Set<string> | undefined)[] = [];
  for (const [token, quoted, colon] of text.matchAll(structure)) {
    if (token === '{' || token === '[') {
      if (openNames.length === depthMax) throw new JsonError('depth');
      openNames.push(token === '{' ? new Set() : undefined);
    } else if (token === '}' || token === ']') {
      openNames.pop();
    } else if (quoted !== undefined && colon) {
      addName(openNames.at(-1), quoted);
    }
  }
};

/** A bracket, or a string with the colon that makes it a name. No part of the expression backtracks, so it takes linear time. */
const structure = /[{}[\]]|("[^"\\]*(?:\\.[^"\\]*)*"?)[ \t\n\r]*(:?)/gs;

/** Compares names after unescaping: `"a"` and `"\u0061"` are the same name. */
const addName = (names: Set<string> | undefined, quoted: string): void => {
  const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
  if (names?.has(name)) throw new JsonError('repeatedName');
  names?.add(name);
};
