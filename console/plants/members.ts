/** The members of a plant that people read and change. The table, the forms, the conflicts and the files of the console have these. */
import type { Api, Data } from '../api/api.ts';

export type Plant = Data<ReturnType<Api['plants']>['get']>;

/** Without the members that only the service sets. */
export type MemberName = Exclude<keyof Plant, 'id' | 'createdAt' | 'updatedAt' | 'picture'>;

export interface Member {
  readonly name: MemberName;
  readonly title: string;
  /** An optional member is omitted, which differs from an empty text. */
  readonly isOptional: boolean;
}

/** The compiler refuses it if a member of a plant is not in it. */
const byName: { readonly [Name in MemberName]: Omit<Member, 'name'> } = {
  name: { title: 'Name', isOptional: false },
  tag: { title: 'Tag', isOptional: true },
};

const isMember = (name: string): name is MemberName => Object.hasOwn(byName, name);

export const members: readonly Member[] = Object.keys(byName)
  .filter(isMember)
  .map((name) => ({ name, ...byName[name] }));

/** The values of all members. Undefined means omitted. */
export type Values = { readonly [Name in MemberName]: string | undefined };

export const noValues: Values = { name: '', tag: undefined };

export const valuesOf = ({ name, tag }: Partial<Values>): Values => ({ name, tag });

/** The members in which the values differ. */
export const differences = (before: Values, after: Values): readonly MemberName[] =>
  members.map(({ name }) => name).filter((name) => before[name] !== after[name]);

/** The members that two people have changed to different values. */
export const conflicts = (base: Values, mine: Values, theirs: Values): readonly MemberName[] =>
  differences(base, mine).filter((name) => theirs[name] !== base[name] && theirs[name] !== mine[name]);

/** A merge patch (RFC 7396) of these members alone. */
export const patchOf = (names: readonly MemberName[], values: Values): Partial<Record<MemberName, string | null>> =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
