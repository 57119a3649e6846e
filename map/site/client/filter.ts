/**
 * The filters of the matrix. They are in the URL, so that a view can be sent as a link: `kinds/generator.html?language=Go`.
 * A filter hides rows and columns; that of verdicts also fades the other verdicts of the rows that remain.
 */
export const filterMatrix = (form: HTMLFormElement, matrix: HTMLElement, onShown: () => void): void => {
  const table = matrix.querySelector('table');
  const output = form.querySelector('output');
  if (table === null || output === null) return;
  const view = viewOf(table);

  const apply = (): void => {
    const shown = show(view, filterOf(form));
    output.textContent = `${shown.tools} of ${view.rows.length} tools, ${shown.features} of ${view.columns.length} features.`;
    matrix.hidden = shown.tools === 0;
    // There is room for words.
    matrix.classList.toggle('few', shown.features <= fewFeatures);
    onShown();
  };
  const fill = (): void => {
    const parameters = new URLSearchParams(location.search);
    for (const control of controlsOf(form)) control.value = parameters.get(control.name) ?? '';
    apply();
  };
  const remember = (): void => {
    const given = controlsOf(form).filter(({ value }) => value.trim() !== '');
    const query = new URLSearchParams(given.map(({ name, value }) => [name, value.trim()]));
    history.replaceState(null, '', given.length === 0 ? location.pathname : `?${query}`);
    apply();
  };

  form.addEventListener('input', remember);
  // The controls have their new values after the event.
  form.addEventListener('reset', () => setTimeout(remember));
  form.addEventListener('submit', (event) => event.preventDefault());
  addEventListener('popstate', fill);
  form.hidden = false;
  fill();
};

const fewFeatures = 6;

interface Filter {
  readonly language: string;
  readonly version: string;
  readonly feature: string;
  readonly verdict: string;
  readonly text: string;
}

type Control = HTMLSelectElement | HTMLInputElement;

const controlsOf = (form: HTMLFormElement): Control[] => [...form.querySelectorAll<Control>('select, input')];

const filterOf = (form: HTMLFormElement): Filter => {
  const values = new FormData(form);
  const chosen = (name: keyof Filter): string => `${values.get(name) ?? ''}`.trim();
  return {
    language: chosen('language'),
    version: chosen('version'),
    feature: chosen('feature'),
    verdict: chosen('verdict'),
    text: chosen('text').toLowerCase(),
  };
};

interface View {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  readonly versions: readonly HTMLTableCellElement[];
}

interface Row {
  readonly element: HTMLTableRowElement;
  readonly language: string;
  readonly text: string;
  /** The cells of the columns, without the name of the tool and its sum. */
  readonly cells: readonly HTMLTableCellElement[];
}

interface Column {
  readonly head: HTMLTableCellElement;
  readonly col: HTMLElement | undefined;
  readonly feature: string;
  readonly version: string;
  readonly text: string;
}

const viewOf = (table: HTMLTableElement): View => {
  const cols = [...table.querySelectorAll<HTMLElement>('col')].slice(2);
  return {
    rows: [...table.querySelectorAll<HTMLTableRowElement>('tr[data-language]')].map((element) => ({
      element,
      language: element.dataset['language'] ?? '',
      text: (element.dataset['text'] ?? '').toLowerCase(),
      cells: [...element.cells].slice(2),
    })),
    columns: [...table.querySelectorAll<HTMLTableCellElement>('th[data-feature]')].map((head, index) => ({
      head,
      col: cols[index],
      feature: head.dataset['feature'] ?? '',
      version: head.dataset['version'] ?? '',
      text: `${head.dataset['feature']} ${head.textContent}`.toLowerCase(),
    })),
    versions: [...table.querySelectorAll<HTMLTableCellElement>('.versions th')],
  };
};

const show = ({ rows, columns, versions }: View, filter: Filter): { tools: number; features: number } => {
  const isAny = (wanted: string, value: string): boolean => wanted === '' || wanted === value;
  const areTools = rows.some(({ text }) => text.includes(filter.text));
  const mayRow = ({ language, text }: Row): boolean =>
    isAny(filter.language, language) && (!areTools || text.includes(filter.text));
  // The text is searched in the names of features if no tool has it.
  const mayColumn = ({ feature, version, text }: Column): boolean =>
    isAny(filter.feature, feature) && isAny(filter.version, version) && (areTools || text.includes(filter.text));

  const candidates = columns.map(mayColumn);
  const isHit = (cell: HTMLTableCellElement, column: number): boolean =>
    candidates[column] === true && (filter.verdict === '' ? cell.className !== '' : cell.className === filter.verdict);
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const shownRows = rows.filter((row) => mayRow(row) && (!isFiltered || row.cells.some(isHit)));
  const shownColumns = candidates.map(
    (isCandidate, column) =>
      isCandidate &&
      (!isFiltered || shownRows.some(({ cells }) => cells[column] !== undefined && isHit(cells[column], column))),
  );

  for (const row of rows) {
    row.element.hidden = !shownRows.includes(row);
    for (const [column, cell] of row.cells.entries()) {
      cell.hidden = shownColumns[column] !== true;
      cell.toggleAttribute('data-faded', filter.verdict !== '' && !isHit(cell, column));
    }
  }
  for (const [index, { head, col }] of columns.entries()) {
    head.hidden = shownColumns[index] !== true;
    if (col !== undefined) col.hidden = head.hidden;
  }
  const features = shownColumns.filter(Boolean).length;
  for (const head of versions) {
    const span = columns.filter(
      ({ version }, index) => version === head.dataset['version'] && shownColumns[index] === true,
    ).length;
    head.hidden = span === 0;
    if (span > 0) head.colSpan = span;
  }
  return { tools: shownRows.length, features };
};
