/** Lights the column of the cell under the pointer or with the focus; the style lights the row. */
export const lightColumn = (matrix: HTMLElement): void => {
  const cols = matrix.querySelectorAll('col');
  const heads = matrix.querySelectorAll<HTMLTableRowElement>('.features')[0]?.cells;
  const light = ({ target, type }: Event): void => {
    for (const lit of matrix.querySelectorAll('.lit')) lit.classList.remove('lit');
    const cell = target instanceof Element && type !== 'pointerleave' ? target.closest('td, .features th') : null;
    if (!(cell instanceof HTMLTableCellElement) || cell.cellIndex < 2) return;
    cols[cell.cellIndex]?.classList.add('lit');
    heads?.[cell.cellIndex]?.classList.add('lit');
  };
  for (const type of ['pointerover', 'pointerleave', 'focusin']) matrix.addEventListener(type, light);
};
