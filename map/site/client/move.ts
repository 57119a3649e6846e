/**
 * Arrow keys move through the links of the matrix, and Home and End to the ends of a row. So the matrix is one stop of the Tab key, and
 * not a thousand. A screen reader has its own keys for tables, and still sees a plain table of links. Call the result when other links
 * are shown, so that the stop is one of them.
 */
export const moveByArrows = (matrix: HTMLElement): (() => void) => {
  const links = [...matrix.querySelectorAll<HTMLAnchorElement>('a')];
  for (const link of links) link.tabIndex = -1;
  for (const hint of document.querySelectorAll<HTMLElement>('.keys')) hint.hidden = false;

  let stop: HTMLAnchorElement | undefined;
  const stopAt = (link: HTMLAnchorElement | undefined): void => {
    if (stop !== undefined) stop.tabIndex = -1;
    stop = link;
    if (stop !== undefined) stop.tabIndex = 0;
  };
  matrix.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLAnchorElement) stopAt(target);
  });
  matrix.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (!(target instanceof HTMLAnchorElement) || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = nextOf(target, key, links.filter(isShown));
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  });
  return () => {
    if (stop === undefined || !isShown(stop)) stopAt(links.find(isShown));
  };
};

const isShown = (link: HTMLElement): boolean => link.offsetParent !== null;

const cellOf = (link: Element): HTMLTableCellElement | null => link.closest<HTMLTableCellElement>('td, th');
const columnOf = (link: Element): number => cellOf(link)?.cellIndex ?? 0;
const rowOf = (link: Element): number => link.closest('tr')?.rowIndex ?? 0;

/** The link that the key leads to. The links are in the order of the rows. */
const nextOf = (
  link: HTMLAnchorElement,
  key: string,
  links: readonly HTMLAnchorElement[],
): HTMLAnchorElement | undefined => {
  const row = links.filter((other) => rowOf(other) === rowOf(link));
  const column = links.filter((other) => columnOf(other) === columnOf(link));
  switch (key) {
    case 'ArrowRight':
      return row[row.indexOf(link) + 1];
    case 'ArrowLeft':
      return row[row.indexOf(link) - 1];
    case 'ArrowDown':
      return column[column.indexOf(link) + 1];
    case 'ArrowUp':
      return column[column.indexOf(link) - 1];
    case 'Home':
      return row[0];
    case 'End':
      return row.at(-1);
    default:
      return undefined;
  }
};
