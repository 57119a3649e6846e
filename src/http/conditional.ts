/** Conditional requests (RFC 9110 §13). The entity tag is the version of a plant, or of the document. */
import { Type } from '@sinclair/typebox';
import { monstera } from '../domain/fixture.ts';
import { versionOf } from '../domain/plant.ts';
import { ofEachPatch } from './plants/examples.ts';
import type { RequestHeaders } from './request-headers.ts';

/** A strong entity tag (RFC 9110 §8.8.3). */
export const etagOf = (version: string): string => `"${version}"`;

/** Text, since the source of a RegExp has an escaped slash, which some tools escape again. */
const tagForm = '(W/)?"([\\x21\\x23-\\x7E\\x80-\\xFF]*)"';

/** A list may have empty elements, but at least one tag. Its white space is spaces and tabs (RFC 9110 §5.6). */
const listForm = `[ \\t,]*${tagForm}(?:[ \\t]*,[ \\t,]*${tagForm})*[ \\t,]*`;

const condition = (name: string, description: string, example: string) =>
  Type.Object({
    [name]: Type.Optional(
      Type.String({
        description,
        pattern: `^(\\*|${listForm})$`,
        examples: ofEachPatch(example),
        error: `The header ${name} must be * or a list of entity tags.`,
      }),
    ),
  });

export const IfMatch = condition(
  'If-Match',
  'Versions of which the plant must have one: entity tags, compared strongly, so that a weak one fits nothing, or `*` for any.',
  // The one example that is true of every plant, so a request with another example does not fail by this one.
  '*',
);

export const IfNoneMatch = condition(
  'If-None-Match',
  'Versions that the caller knows: entity tags, compared weakly, or `*` for any.',
  etagOf(versionOf(monstera)),
);

/** The versions in `If-Match`, without weak tags, which match nothing. Absent when the header is, and for `*`, any version. */
export const versionsToMatch = ({ 'if-match': header = '*' }: RequestHeaders): string[] | undefined =>
  tagsIn(header)
    ?.filter(({ isWeak }) => !isWeak)
    .map(({ version }) => version);

/** Whether `If-None-Match` has the version, by weak comparison; `*` is any version. */
export const isKnown = ({ 'if-none-match': header }: RequestHeaders, version: string): boolean =>
  header !== undefined && (tagsIn(header)?.some((tag) => tag.version === version) ?? true);

/** Absent for `*`. */
const tagsIn = (header: string): { readonly version: string; readonly isWeak: boolean }[] | undefined =>
  header.trim() === '*'
    ? undefined
    : [...header.matchAll(anyTag)].map(([, weak, version = '']) => ({ version, isWeak: weak !== undefined }));

const anyTag = new RegExp(tagForm, 'g');
