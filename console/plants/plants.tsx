/** All plants, page by page. They are changed in their rows; a new one and an import have a panel above them. */
import { useRef, useState } from 'preact/hooks';
import { isExact } from '../api/json.ts';
import { exportList, exportPlants } from '../files/export.ts';
import { Import } from '../files/import.tsx';
import { NeedsScope, Notice } from '../parts/notice.tsx';
import type { Place } from '../parts/place.ts';
import { askFirst } from '../parts/question.tsx';
import { useTask } from '../parts/task.ts';
import { countOf } from '../parts/text.tsx';
import { useShortcuts } from '../parts/use-shortcuts.ts';
import { useSession } from '../session.ts';
import { Details } from './details.tsx';
import { FilterBar } from './filter-bar.tsx';
import { exportQueryOf } from './list.ts';
import { withFilter, writeListPlace } from './list-place.ts';
import { type Plant, valuesOf } from './members.ts';
import { NewPlant } from './new-plant.tsx';
import type { Row } from './page-rows.ts';
import { Pager } from './pager.tsx';
import type { RowActions } from './row-actions.ts';
import { Selected } from './selected.tsx';
import { nothing, toggle } from './selection.ts';
import { type Focus, Table } from './table.tsx';
import { Toolbar } from './toolbar.tsx';
import { useEdits } from './use-edits.ts';
import { useList } from './use-list.ts';
import { wordsForNone } from './words.ts';

interface PlantsProps {
  readonly isShown: boolean;
  readonly place: Place;
}

export const Plants = ({ isShown, place: { query, trail } }: PlantsProps) => {
  const { token, can, actions } = useSession();
  const canRead = can('plants:read');
  const canWrite = can('plants:write');
  const list = useList(query, trail);
  const { place, value, isCurrent, isLoading, problem, reload, rows, selection, setSelection, selecting } = list;
  const { show, firstPage, showPrevious } = list;
  const task = useTask();
  const [wanted, setWanted] = useState<Focus>();
  const [newRound, setNewRound] = useState<number>();
  const [isImporting, setImporting] = useState(false);
  const newButton = useRef<HTMLButtonElement>(null);
  const edits = useEdits(actions, setWanted);

  const openNew = (): void => setNewRound((before = 0) => before + 1);
  const closePanels = (): void => {
    setNewRound(undefined);
    setImporting(false);
    newButton.current?.focus();
  };
  useShortcuts(
    {
      search: () => document.querySelector<HTMLElement>('#view-plants .search')?.focus(),
      ...(canWrite && { new: openNew }),
      rows: () => document.querySelector<HTMLElement>('#view-plants [data-stop][tabindex="0"]')?.focus(),
    },
    isShown,
  );

  const removeSelected = async (): Promise<void> => {
    const plants = [...selection.values()];
    const title = `Delete ${countOf(plants.length, 'plant')}?`;
    const lines = [
      'They can be restored while this page is open.',
      ...(plants.some(({ picture }) => picture) ? ['Their pictures cannot be restored.'] : []),
    ];
    if (await askFirst(title, lines, 'Delete them', 'Keep them')) await actions.removeMany(plants);
  };
  const setTag = (tag: string | undefined): Promise<void> =>
    actions.changeMany(
      tag === undefined ? 'Removing the tag' : 'Setting the tag',
      [...selection.values()],
      (plant) => ({ ...valuesOf(plant), tag }),
    );
  const closeDetails = (): void => {
    show({ ...place, open: undefined }, { trail, isSmall: true });
    setWanted({ id: BigInt(place.open ?? 0), stop: 'id' });
  };
  const rowActions: RowActions = {
    ...edits.actions,
    onSelect: (plant) => setSelection((before) => toggle(before, [plant])),
    onDelete: (plant) =>
      void task.run(async () => {
        await actions.remove(plant);
        setWanted({ id: plant.id, stop: 'id' });
      }),
    onRestore: (plant) =>
      void task.run(async () => {
        await actions.restore(plant);
        setWanted({ id: plant.id, stop: 'id' });
      }),
    hrefOf: (id) => `#plants?${writeListPlace({ ...place, open: `${id}` })}`,
    onTag: (tag) => show(withFilter(place, { tags: [...new Set([...place.tags, tag])] })),
  };
  const shown: readonly Row[] = [
    ...[...edits.edits.values()]
      .filter(({ plant }) => !rows.list.some((row) => row.plant.id === plant.id))
      .map(({ plant }) => ({ plant })),
    ...rows.list,
  ];
  const onPage = rows.list.filter(({ mark }) => mark !== 'deleted').map(({ plant }) => plant);
  const selectable = onPage.filter(({ id }) => isExact(id));
  const hasOtherPages = place.page > 1 || value?.next !== undefined;

  return (
    <>
      <Toolbar
        isLoading={isLoading}
        newButton={newButton}
        {...(canRead && {
          onReload: () => void reload(),
          onExport: () => void task.run(() => exportList(token, exportQueryOf(place))),
        })}
        {...(canWrite && { onImport: () => setImporting(true), onNew: openNew })}
      />
      {canRead && (
        <FilterBar place={place} tagsShown={tagsOf(onPage)} onChange={(next, isSmall) => show(next, { isSmall })} />
      )}
      {newRound !== undefined && (
        <NewPlant
          actions={actions}
          round={newRound}
          onCreated={(id) => {
            setNewRound(undefined);
            setWanted({ id, stop: 'id' });
            newButton.current?.focus();
          }}
          onClose={closePanels}
        />
      )}
      {isImporting && <Import onClose={closePanels} onImported={reload} />}
      {canRead && place.open !== undefined && (
        <Details
          key={place.open}
          id={place.open}
          onEdit={(plant) => edits.actions.onEdit(plant, 'name')}
          onClose={closeDetails}
        />
      )}
      <Notice problem={task.problem ?? selecting.problem ?? problem} />
      {canRead ? (
        <>
          {rows.added.size > 0 && (
            <p class="added" role="status">
              {countOf(rows.added.size, 'plant')} added by others.{' '}
              <button type="button" onClick={() => void reload()}>
                Show
              </button>
            </p>
          )}
          {selection.size > 0 && canWrite && (
            <Selected
              count={selection.size}
              onSelectAll={hasOtherPages ? () => void list.selectAll() : undefined}
              isSelecting={selecting.isBusy}
              onSetTag={(tag) => void setTag(tag)}
              onExport={() => void task.run(() => exportPlants([...selection.values()]))}
              onDelete={() => void removeSelected()}
              onClear={() => setSelection(nothing)}
            />
          )}
          <Table
            rows={shown}
            edits={edits.edits}
            focused={edits.focused}
            selection={selection}
            canWrite={canWrite}
            isLoading={isLoading}
            sort={place.sort}
            wanted={wanted}
            onSort={(sort) => show(withFilter(place, { sort }))}
            onSelectAll={() => setSelection((before) => toggle(before, selectable))}
            actions={rowActions}
          />
          {isCurrent && value && onPage.length === 0 && rows.list.length === 0 && (
            <p class="quiet">{wordsForNone(place, value.next !== undefined)}</p>
          )}
          <Pager
            page={place.page}
            total={value?.total ?? null}
            isLoading={isLoading || !isCurrent}
            onFirst={place.page > 1 ? () => show(firstPage) : undefined}
            onPrevious={trail.length > 0 ? showPrevious : undefined}
            onNext={
              value?.next === undefined
                ? undefined
                : () => show({ ...place, after: value.next, page: place.page + 1 }, { trail: [...trail, list.query] })
            }
          />
        </>
      ) : (
        <NeedsScope scope="plants:read">Plants are not shown.</NeedsScope>
      )}
    </>
  );
};

/** The tags of the plants, each once. */
const tagsOf = (plants: readonly Plant[]): readonly string[] => [
  ...new Set(plants.flatMap(({ tag }) => (tag === undefined ? [] : [tag]))),
];
