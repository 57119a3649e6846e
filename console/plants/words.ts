/** What the page says about a change. */
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
