/** The tools and the features that the options of a command name. */

export class UnknownName extends Error {
  override readonly name = 'UnknownName';
}

/** All, if no id is given. Throws UnknownName for an id that none has. */
export const choose = <T extends { readonly id: string }>(
  all: readonly T[],
  ids: readonly string[] | undefined,
  what: string,
): T[] => {
  const unknown = ids?.find((id) => !all.some((one) => one.id === id));
  if (unknown !== undefined)
    throw new UnknownName(`There is no ${what} ${unknown}. There are: ${all.map(({ id }) => id).join(', ')}`);
  return all.filter(({ id }) => ids === undefined || ids.includes(id));
};
