/**
 * JSON as strict as RFC 8259 and RFC 7493 allow, with integers whole. `JSON.parse` checks the grammar, and its reviver reads
 * integers from their source text. One pass before it finds what it lets pass: a repeated name, and a nesting so deep that
 * the reviver would run out of stack.
 *
 * No library does this: lossless-json passes a repeated name whose values are equal and has no bound on depth, and
 * json-bigint passes raw control characters. Neither is quicker.
 */
import { int64FromNumeral } from './int64.ts';

/**
 * The deepest nesting of arrays and objects; a scalar alone is at depth 0.
 *
 * @limit Requests | Nesting of arrays and objects in a body | 400
 */
export const depthMax = 32;

/** The value of a text. An integer that fits in 64 bits is a bigint; any other number is a number. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json };

/** What is wrong with a text; `syntax` also for trailing data. */
export type JsonFault = 'syntax' | 'encoding' | 'byteOrderMark' | 'depth' | 'repeatedName';

export class JsonError extends Error {
  override readonly name = 'JsonError';

  constructor(readonly fault: JsonFault) {
    super(fault);
  }
}

/** Reads one JSON text in UTF-8, without a byte order mark. Throws as `parseJson` does. */
export const parseJsonBytes = (bytes: Uint8Array): Json => {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new JsonError('encoding');
  }
  if (text.startsWith('\uFEFF')) throw new JsonError('byteOrderMark');
  return parseJson(text);
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads one JSON text. Throws JsonError for bad syntax, trailing data, a repeated name, and nesting deeper than `depthMax`.
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
 * A fast path for most bodies: one flat object, without escapes, of texts and of integers that a double keeps exactly. Absent
 * for any other text, and for one that is wrong.
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
  // Without escapes, a quote and a colon end a name and nothing else.
  return names === text.split('":').length - 1 ? value : undefined;
};

const plainForm = /^\{(?:"[^"\\]*":(?:"[^"\\]*"|-?[1-9]\d{0,14}|0),?)+\}$/;

const reviveInteger = (_name: string, value: Json, { source }: { source?: string } = {}): Json =>
  typeof value === 'number' && source !== undefined ? (int64FromNumeral(source) ?? value) : value;

/** Refuses deep nesting and repeated names. On a text that is not JSON it may pass, since `JSON.parse` refuses that. */
const checkStructure = (text: string): void => {
  /** The names so far of each open object; absent for an array. */
  const open: (Set<string> | undefined)[] = [];
  for (const [token, quoted, colon] of text.matchAll(structure)) {
    if (token === '{' || token === '[') {
      if (open.length === depthMax) throw new JsonError('depth');
      open.push(token === '{' ? new Set() : undefined);
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (quoted !== undefined && colon) {
      addName(open.at(-1), quoted);
    }
  }
};

/** A bracket, or a string and the colon that makes it a name. No part of it can fail late, so it takes linear time. */
const structure = /[{}[\]]|("[^"\\]*(?:\\.[^"\\]*)*"?)[ \t\n\r]*(:?)/gs;

/** Compares names as they read, not as they are spelled: `"a"` and `"\u0061"` are one name. */
const addName = (names: Set<string> | undefined, quoted: string): void => {
  const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
  if (names?.has(name)) throw new JsonError('repeatedName');
  names?.add(name);
};
