/** Conditional requests (RFC 9110 §13). The entity tag is the version of a plant, or of the document. */

import { ofEachPatch } from '../plants/examples.ts';
import { versionOf } from '../plants/plant.ts';
import { ficus, monstera } from '../sample-data.ts';
import type { RequestHeaders } from './parameters.ts';
import { t } from './schema.ts';

/** A strong entity tag (RFC 9110 §8.8.3). */
export const etagOf = (version: string): string => `"${version}"`;

/** A string, since the source of a RegExp has an escaped slash, which some tools escape again. */
const tagForm = '(W/)?"([\\x21\\x23-\\x7E\\x80-\\xFF]*)"';

/** A list has at least one tag, and may have empty elements. White space is spaces and tabs (RFC 9110 §5.6). */
const listForm = `[ \\t,]*${tagForm}(?:[ \\t]*,[ \\t,]*${tagForm})*[ \\t,]*`;

const condition = (name: string, description: string, examples: Readonly<Record<string, string>>) =>
  t.Object({
    [name]: t.Optional(
      t.String({
        description,
        pattern: `^(\\*|${listForm})$`,
        examples,
        error: `The header ${name} must be * or a list of entity tags.`,
      }),
    ),
  });

export const IfMatch = condition(
  'If-Match',
  'Entity tags, one of which must match the current version of the plant by strong comparison, or `*` for any version. A weak entity tag never matches.',
  // The only example that matches every plant, so it works with every example of the body.
  ofEachPatch('*'),
);

export const IfNoneMatch = condition(
  'If-None-Match',
  'Entity tags of the versions that the client has, by weak comparison, or `*` for any version.',
  // Some tools send the first example by default. It does not match, so they get 200; the second one gets 304.
  { demo: etagOf(versionOf(ficus)), current: etagOf(versionOf(monstera)) },
);

/** The versions in `If-Match`, without weak tags, which never match. Undefined without the header, and for `*`, which matches any version. */
export const versionsToMatch = ({ 'if-match': header = '*' }: RequestHeaders): string[] | undefined =>
  tagsIn(header)
    ?.filter(({ isWeak }) => !isWeak)
    .map(({ version }) => version);

/** Whether `If-None-Match`, which must be valid, has the version, by weak comparison. `*` matches any version. */
export const isKnown = ({ 'if-none-match': header }: RequestHeaders, version: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.includes(etagOf(version)));

/** Undefined for `*`. */
const tagsIn = (header: string): { readonly version: string; readonly isWeak: boolean }[] | undefined =>
  header.trim() === '*'
    ? undefined
    : [...header.matchAll(anyTag)].map(([, weak, version = '']) => ({ version, isWeak: weak !== undefined }));

const anyTag = new RegExp(tagForm, 'g');
