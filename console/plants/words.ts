/** What the page says about a change. */
import type { ListPlace } from './list-place.ts';
import { type MemberName, members, type Values } from './members.ts';

export const changedSince = 'Somebody else has changed it in the meantime. Nothing was overwritten.';

const titleOf = (name: MemberName): string => members.find((one) => one.name === name)?.title.toLowerCase() ?? name;

export const wordsForOthers = (others: readonly MemberName[]): string =>
  others.length === 0 ? '' : ` Somebody else has changed ${others.map(titleOf).join(' and ')}, which stays.`;

export const wordsForFailures = ({
  failures,
  untried,
}: {
  readonly failures: readonly unknown[];
  readonly untried: readonly unknown[];
}) =>
  failures.length + untried.length === 0 ? '' : ` ${failures.length} failed, and ${untried.length} were not tried.`;

/** What differs between what the user has seen and what is stored. */
export const describe = (seen: Values, stored: Values): readonly string[] =>
  members
    .filter(({ name }) => seen[name] !== stored[name])
    .map(({ name, title }) => `${title}: ${seen[name] ?? 'none'} → ${stored[name] ?? 'none'}`);

/** A page of a search can be empty, although later ones have plants. */
export const wordsForNone = (place: ListPlace, hasNext: boolean): string => {
  if (hasNext) return 'No plant in this part of the list. The next page searches on.';
  const { search, tags } = place;
  return search === '' && tags.length === 0 ? 'There are no plants yet.' : 'No plant fits.';
};
