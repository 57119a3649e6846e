/** JSON with exact integers: a case writes them as bigints, and texts are compared without rounding. */
import { int64ToJson } from '../../src/base/int64.ts';

export const exactJson = (value: unknown): string => JSON.stringify(value, exactMember) ?? '';

/** The same on several lines. */
export const indentedExactJson = (value: unknown): string => JSON.stringify(value, exactMember, 2);

const exactMember = (_: string, member: unknown): unknown =>
  typeof member === 'bigint' ? int64ToJson(member) : member;

/** The text with sorted members and without white space, so that equal values have equal texts. Undefined if it is not JSON. */
export const canonicalJson = (text: string): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(text, canonicalMember));
  } catch {
    return undefined;
  }
};

const canonicalMember = (_: string, value: unknown, context?: { source?: string }): unknown => {
  if (typeof value === 'number' && !Number.isSafeInteger(value) && context?.source !== undefined)
    return JSON.rawJSON(context.source);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'rawJSON' in value) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** Whether a media type is one of JSON. That of JSON Lines is not. */
export const isJson = (contentType: string): boolean => /[/+]json$/.test(contentType.split(';', 1)[0]?.trim() ?? '');
