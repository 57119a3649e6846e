/** Conditional requests (RFC 9110 §13). The entity tag is the version of a plant, or of the document. */
import type { Preconditions } from '../base/preconditions.ts';
import type { RequestHeaders } from './parameters.ts';

/** A strong entity tag (RFC 9110 §8.8.3). */
export const etagOf = (version: string): string => `"${version}"`;

/** A string, since the source of a RegExp has an escaped slash, which some tools escape again. */
export const tagForm = '(W/)?"([\\x21\\x23-\\x7E\\x80-\\xFF]*)"';

/** The versions in `If-Match`, without weak tags, which never match. Undefined without the header, and for `*`, which matches any version. */
export const versionsToMatch = ({ 'if-match': header = '*' }: RequestHeaders): string[] | undefined =>
  tagsIn(header)
    ?.filter(({ isWeak }) => !isWeak)
    .map(({ version }) => version);

/** Whether `If-None-Match`, which must be valid, has the version, by weak comparison. `*` matches any version. */
export const isKnown = ({ 'if-none-match': header }: RequestHeaders, version: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.includes(etagOf(version)));

export const preconditionsIn = ({ 'if-match': match, 'if-none-match': noneMatch }: RequestHeaders): Preconditions => ({
  match: match === undefined ? undefined : (versionsToMatch({ 'if-match': match }) ?? '*'),
  noneMatch: noneMatch === undefined ? undefined : (tagsIn(noneMatch)?.map(({ version }) => version) ?? '*'),
});

/** Undefined for `*`. */
const tagsIn = (header: string): { readonly version: string; readonly isWeak: boolean }[] | undefined =>
  header.trim() === '*'
    ? undefined
    : [...header.matchAll(anyTag)].map(([, weak, version = '']) => ({ version, isWeak: weak !== undefined }));

const anyTag = new RegExp(tagForm, 'g');
