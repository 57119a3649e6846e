import { etagOf, tagForm } from '../http/conditional.ts';
import { t } from '../http/schema.ts';
import { ofEachPatch } from './examples.ts';
import { versionOf } from './plant.ts';
import { ficus, monstera } from './sample.ts';

/** A list has at least one tag, and may have empty elements. White space is spaces and tabs (RFC 9110 §5.6). */
const listForm = `[ \\t,]*${tagForm}(?:[ \\t]*,[ \\t,]*${tagForm})*[ \\t,]*`;

/** A header with entity tags, or `*`. */
export const condition = (name: string, description: string, examples: Readonly<Record<string, string>>) =>
  t.Object({
    [name]: t.Optional(
      t.String({
        description,
        pattern: `^(\\*|${listForm})$`,
        examples,
        error: 'must be * or a list of entity tags',
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
