import type { Api, Data } from '../api/api.ts';

export type Plant = Data<ReturnType<Api['plants']>['get']>;

/** The members that a client sets. The compiler refuses a function, a table or a form that omits one. */
export type Member = Exclude<keyof Plant, 'createdAt' | 'updatedAt'>;

/** What a form has: texts. Without a tag, the plant has none; an empty tag is another value. */
export type Draft = {
  readonly [Name in Member]: undefined extends Plant[Name] ? string | undefined : string;
};

export const draftOf = ({ id, name, tag }: Plant): Draft => ({ id: `${id}`, name, tag });
