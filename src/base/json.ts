/**
 * JSON as strict as RFC 8259 and RFC 7493 allow, with integers whole. The grammar is left to `JSON.parse`; one pass over the
 * text before it sees what `JSON.parse` does not tell: a name twice in one object, and the depth, which also keeps the
 * reviver from running out of stack. Integers are read from their source text, so that none goes through a double.
 *
 * No library does this: of the lossless ones, lossless-json passes a repeated name whose values are equal and has no bound on
 * depth, and json-bigint passes raw control characters. Neither is quicker.
 */

import { int64FromNumeral } from './int64.ts';

/** The deepest nesting of arrays and objects; a scalar alone is at depth 0. */
export const depthMax = 32;

/** What a text can hold. An integer that fits in 64 bits is a bigint; any other number is a number. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json };

/** What is wrong with a text; `syntax` also for trailing data. */
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
 * Reads one JSON text. Throws JsonError for bad syntax, trailing data, a name twice in one object, and
 * nesting deeper than `depthMax`. A member named `__proto__` is a member like any other.
 */
export const parseJson = (text: string): Json => {
  const plain = parsePlain(text);
  if (plain) return plain;
  checkStructure(text);
  try {
    return JSON.parse(text, reviveInteger);
  } catch {
    throw new JsonError('syntax');
  }
};

/**
 * The short way for what most bodies are: one flat object, without escapes, of texts and of integers that a double holds. What
 * is not surely that, or not sound, is left to the long way, which says what is wrong.
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

/**
 * Refuses what is too deep and what says a name twice. It trusts the text to be JSON: on any other text it may pass or
 * refuse, and must only end, since the parser refuses that text anyway.
 */
const checkStructure = (text: string): void => {
  /** For each open bracket, the names so far; none for an array. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '{':
      case '[':
        if (open.length === depthMax) throw new JsonError('depth');
        open.push(text[at] === '{' ? new Set() : undefined);
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case '"': {
        const end = endOfString(text, at);
        const names = open.at(-1);
        if (names && nextIsColon(text, end)) addName(names, text.slice(at, end));
        at = end - 1;
        break;
      }
    }
  }
};

/** The index after the closing quote of the string that opens at `start`, or the end of the text. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
};

const nextIsColon = (text: string, start: number): boolean => {
  let at = start;
  while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) at += 1;
  return text[at] === ':';
};

/** Names are compared as they read, not as they are spelled: `"a"` and `"\u0061"` are one name. */
const addName = (names: Set<string>, quoted: string): void => {
  const name = quoted.includes('\\') ? readName(quoted) : quoted.slice(1, -1);
  if (names.has(name)) throw new JsonError('repeatedName');
  names.add(name);
};

const readName = (quoted: string): string => {
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw new JsonError('syntax');
  }
};
