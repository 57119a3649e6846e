/** Conditional requests (RFC 9110 §13), on the version of a plant, or of the document, as its entity tag. */
import { AppError } from '../domain/error.ts';

/** A strong entity tag (RFC 9110 §8.8.3). */
export const etagOf = (version: string): string => `"${version}"`;

/**
 * The versions that `If-Match` asks for, by strong comparison, in which a weak tag is like none. Absent when the header is,
 * and for `*`, which any plant that exists fulfils. Throws AppError `invalid_query` for what is not a list of entity tags.
 */
export const versionsToMatch = (headers: Headers): string[] | undefined => {
  const header = headers.get('if-match');
  if (header === null || header.trim() === '*') return undefined;
  return parseEntityTags('If-Match', header)
    .filter(({ isWeak }) => !isWeak)
    .map(({ version }) => version);
};

/**
 * Reads `If-None-Match` and gives back whether a version is among those it names, by weak comparison; `*` names all. Throws
 * as `versionsToMatch` does, before anything is asked for.
 */
export const knownVersions = (headers: Headers): ((version: string) => boolean) => {
  const header = headers.get('if-none-match');
  if (header === null) return () => false;
  if (header.trim() === '*') return () => true;
  const versions = parseEntityTags('If-None-Match', header).map(({ version }) => version);
  return (version) => versions.includes(version);
};

/** What `If-Match` and `If-None-Match` can be, as a pattern of JSON Schema. */
export const conditionPattern = (): string => `^\\*$|${listForm.source}`;

interface EntityTag {
  readonly version: string;
  readonly isWeak: boolean;
}

const parseEntityTags = (name: string, header: string): EntityTag[] => {
  if (!listForm.test(header))
    throw new AppError('invalid_query', `The header ${name} must be * or a list of entity tags.`);
  return [...header.matchAll(tagForm)].map(([, weak, version = '']) => ({ version, isWeak: weak !== undefined }));
};

const tagForm = /(W\/)?"([\x21\x23-\x7E\x80-\xFF]*)"/g;

/** A list may have empty elements (RFC 9110 §5.6.1), but at least one tag. */
const listForm = new RegExp(`^[\\s,]*${tagForm.source}(?:\\s*,[\\s,]*${tagForm.source})*[\\s,]*$`);
