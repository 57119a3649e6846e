/** The names in a file that a plant does not have. Their values are ignored, so `import` prints the names once. */
import { excerpt } from '../../base/printable.ts';
import { columnNames } from './format.ts';

/**
 * Names that differ from a known one only in case, spaces or punctuation come first, and have a limit of their own.
 *
 * @limit Processes | Names of ignored columns or members that `import` prints | the others are not named
 */
const namesMax = 20;

export type Ignored = ReturnType<typeof createIgnored>;

export const createIgnored = () => {
  const [close, others] = [new Set<string>(), new Set<string>()];
  let hasMore = false;
  /** For people. */
  const list = (): string[] => [...close, ...others, ...(hasMore ? ['and others'] : [])];
  return {
    add: (name: string): void => {
      const shown = show(name);
      if (close.has(shown) || others.has(shown)) return;
      const names = closestTo(name) === undefined ? others : close;
      if (names.size < namesMax) names.add(shown);
      else hasMore = true;
    },
    names: list,
    /** A message for people. Undefined when nothing was ignored. */
    message: (fieldWord: string): string | undefined => {
      const names = list();
      return names.length === 0
        ? undefined
        : `Ignored ${fieldWord}${names.length > 1 ? 's' : ''}: ${names.join(', ')}.`;
    },
  };
};

/** Such as `"Tag" (probably tag)`. */
const show = (name: string): string => {
  if (name.trim() === '') return 'one without a name';
  const closest = closestTo(name);
  return `${excerpt(name, 50)}${closest === undefined ? '' : ` (probably ${closest})`}`;
};

/** The column that differs only in case, spaces or punctuation. */
export const closestTo = (name: string): string | undefined => byLetters.get(lettersOf(name));

const lettersOf = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const byLetters: ReadonlyMap<string, string> = new Map(columnNames.map((column) => [lettersOf(column), column]));
