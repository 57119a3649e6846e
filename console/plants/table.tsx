/**
 * The plants as a grid (https://www.w3.org/WAI/ARIA/apg/patterns/grid/): Tab reaches one of its stops, and the arrows reach the others. On a
 * small screen each row is a card.
 */
import type { TargetedEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Edits } from './edits.ts';
import { nextStop } from './grid-keys.ts';
import { nextSort, type Sort } from './list-place.ts';
import { type MemberName, members } from './members.ts';
import type { Row } from './page-rows.ts';
import { asGrid, asHeading, asRow } from './roles.ts';
import { PlantRow } from './row.tsx';
import type { RowActions } from './row-actions.ts';
import { isAllSelected, type Selection } from './selection.ts';

/** An element of the table that can have the focus. */
export interface Focus {
  readonly id: bigint;
  readonly stop: string;
}

interface TableProps {
  readonly rows: readonly Row[];
  readonly edits: Edits;
  readonly focused: { readonly id: bigint; readonly name: MemberName } | undefined;
  readonly selection: Selection;
  readonly canWrite: boolean;
  readonly isLoading: boolean;
  readonly sort: Sort;
  /** Gets the focus after the next render, once for each object. */
  readonly wanted: Focus | undefined;
  readonly onSort: (sort: Sort) => void;
  readonly onSelectAll: () => void;
  readonly actions: RowActions;
}

export const Table = (props: TableProps) => {
  const { rows, edits, focused, selection, canWrite, isLoading, sort, wanted, onSort, onSelectAll, actions } = props;
  const table = useRef<HTMLTableElement>(null);
  const [current, setCurrent] = useState<Focus>();
  const isInside = useRef(false);
  useFocusIn(table, wanted, current, isInside);

  const plants = rows.filter(({ mark }) => mark !== 'deleted').map(({ plant }) => plant);
  const first = rows[0];
  const known = current && rows.some(({ plant }) => plant.id === current.id) ? current : undefined;
  const tabStop = known ?? (first && { id: first.plant.id, stop: 'id' });

  const onFocus = (event: TargetedEvent<HTMLElement, FocusEvent>): void => {
    const found = focusOf(event.target);
    if (found) setCurrent(found);
  };
  const onKeyDown = (event: TargetedEvent<HTMLElement, KeyboardEvent>): void => {
    const found = focusOf(event.target);
    const row = rows.find(({ plant }) => plant.id === found?.id);
    if (!found || !row || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = moveFrom(table.current, event.target, event.key);
    if (next) next.focus();
    else if (!runKey(event, row, found.stop)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** Returns whether the key does something. */
  const runKey = ({ key, target }: TargetedEvent<HTMLElement, KeyboardEvent>, row: Row, stop: string): boolean => {
    const isControl = target instanceof Element && target.matches('button, input, a');
    if (!canWrite || row.mark === 'deleted' || (isControl && (key === 'Enter' || key === ' '))) return false;
    if (key === 'e' || key === 'F2' || key === 'Enter') actions.onEdit(row.plant, memberOf(stop));
    else if (key === 'x' || key === ' ') actions.onSelect(row.plant);
    else if (key === 'Delete') actions.onDelete(row.plant);
    else return false;
    return true;
  };

  return (
    <table
      ref={table}
      class="wide-only plants"
      {...asGrid}
      aria-busy={isLoading}
      onFocusIn={onFocus}
      onKeyDown={onKeyDown}
    >
      <caption class="unseen-label">Plants</caption>
      <thead>
        <tr {...asRow}>
          {canWrite && (
            <th scope="col" {...asHeading} class="select">
              <input
                type="checkbox"
                aria-label="Select this page"
                checked={isAllSelected(selection, plants)}
                onChange={onSelectAll}
              />
            </th>
          )}
          {[idColumn, ...members, createdColumn, updatedColumn].map(({ name, title }) => (
            <Heading key={name} name={name} title={title} sort={sort} onSort={onSort} />
          ))}
          <th scope="col" {...asHeading}>
            <span class="unseen-label">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <PlantRow
            key={`${row.plant.id}`}
            row={row}
            edit={edits.get(row.plant.id)}
            focused={focused?.id === row.plant.id ? focused.name : undefined}
            canWrite={canWrite}
            isSelected={selection.has(row.plant.id)}
            tabStop={tabStop?.id === row.plant.id ? tabStop.stop : undefined}
            actions={actions}
          />
        ))}
      </tbody>
    </table>
  );
};

const idColumn = { name: 'id', title: 'Id' };
const createdColumn = { name: 'createdAt', title: 'Created' };
const updatedColumn = { name: 'updatedAt', title: 'Updated' };

interface HeadingProps {
  readonly name: string;
  readonly title: string;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

const Heading = ({ name, title, sort, onSort }: HeadingProps) => {
  const next = nextSort(sort, name);
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
  return (
    <th scope="col" {...asHeading} aria-sort={direction}>
      {next === undefined ? (
        title
      ) : (
        <button type="button" class="sort" onClick={() => onSort(next)}>
          {title}
          {direction && <span aria-hidden="true">{direction === 'ascending' ? ' ▲' : ' ▼'}</span>}
        </button>
      )}
    </th>
  );
};

const memberOf = (stop: string): MemberName =>
  members.find(({ name }) => name === stop)?.name ?? (stop === 'chip' ? 'tag' : 'name');

/** Where an element is in the table. Undefined for a field of an edited row, and outside of rows. */
const focusOf = (target: EventTarget | null): Focus | undefined => {
  const element = target instanceof Element ? target.closest('[data-stop]') : null;
  const id = element?.closest('[data-row]')?.getAttribute('data-row');
  const stop = element?.getAttribute('data-stop');
  return id && stop && element === target ? { id: BigInt(id), stop } : undefined;
};

const stopsOf = (row: Element): readonly HTMLElement[] => [...row.querySelectorAll<HTMLElement>('[data-stop]')];

const moveFrom = (table: HTMLTableElement | null, target: EventTarget | null, key: string): HTMLElement | undefined => {
  const stops = [...(table?.querySelectorAll('[data-row]') ?? [])].map(stopsOf);
  const row = stops.findIndex((all) => all.some((one) => one === target));
  const index = target instanceof HTMLElement ? (stops[row]?.indexOf(target) ?? -1) : -1;
  const next = nextStop(
    stops.map(({ length }) => length),
    { row, index },
    key,
  );
  return next && stops[next.row]?.[next.index];
};

/** Gives the wanted element the focus, and another one of the table if the one that had it is gone. */
const useFocusIn = (
  table: { readonly current: HTMLTableElement | null },
  wanted: Focus | undefined,
  current: Focus | undefined,
  isInside: { current: boolean },
): void => {
  const given = useRef<Focus>(undefined);
  useLayoutEffect(() => {
    const find = ({ id, stop }: Focus): HTMLElement | null =>
      table.current?.querySelector(`[data-row="${id}"] [data-stop="${stop}"]`) ?? null;
    if (wanted && wanted !== given.current) {
      given.current = wanted;
      find(wanted)?.focus();
    } else if (isInside.current && document.activeElement === document.body) {
      const place = current && (find(current) ?? find({ ...current, stop: 'id' }));
      (place ?? table.current?.querySelector<HTMLElement>('[data-stop="id"]'))?.focus();
    }
  });
  useLayoutEffect(() => {
    const note = ({ target }: Event): void => {
      isInside.current = target instanceof Node && (table.current?.contains(target) ?? false);
    };
    for (const name of ['focusin', 'pointerdown']) document.addEventListener(name, note);
    return () => {
      for (const name of ['focusin', 'pointerdown']) document.removeEventListener(name, note);
    };
  }, []);
};
