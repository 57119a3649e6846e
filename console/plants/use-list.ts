/** The list of plants: its place in the address, the page that is loaded, what happens to its rows, and what is selected. */
import { useCallback, useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { isExact } from '../api/json.ts';
import type { Problem } from '../api/problem.ts';
import { announce } from '../parts/announcer.tsx';
import { useLoaded, useTask } from '../parts/task.ts';
import { countOf } from '../parts/text.tsx';
import { go } from '../parts/use-place.ts';
import { useSession } from '../session.ts';
import { readAll, readPage } from './list.ts';
import { isByName, type ListPlace, readListPlace, type Sort, withFilter, writeListPlace } from './list-place.ts';
import { noRows, reduceRows } from './page-rows.ts';
import { nothing, refresh, select, unselect } from './selection.ts';

/** The number of the error. */
const invalidQuery = 40002;

/** `placeQuery` is the one in the address, and `trail` has those of the pages before. */
export const useList = (placeQuery: string, trail: readonly string[]) => {
  const { api, can, actions, feed } = useSession();
  const place = readListPlace(placeQuery);
  const query = writeListPlace({ ...place, open: undefined });
  const load = useCallback(() => readPage(api, readListPlace(query)), [api, query]);
  const loaded = useLoaded(can('plants:read') ? load : undefined);
  const { value, isCurrent, isLoading, problem, reload } = loaded;
  const [rows, change] = useReducer(reduceRows, noRows);
  const [selection, setSelection] = useState(nothing);
  const selecting = useTask();

  useEffect(() => {
    if (!value) return;
    // What has arrived before the page is in it.
    feed?.flush();
    change({ type: 'loaded', plants: value.plants });
    setSelection((before) => refresh(before, value.plants));
  }, [value]);
  useEffect(() => feed?.subscribe((events) => change({ type: 'events', events }), reload), [feed, reload]);
  useEffect(
    () =>
      actions.onEffect((effect) => {
        if (effect.kind === 'many') {
          setSelection(nothing);
          void reload();
        } else if (effect.kind === 'stored') {
          change({ type: 'stored', plant: effect.plant });
          setSelection((before) => refresh(before, [effect.plant]));
        } else {
          change({ type: 'deleted', id: effect.id });
          setSelection((before) => unselect(before, [effect]));
        }
      }),
    [actions, reload],
  );

  const show = (next: ListPlace, options: Parameters<typeof go>[2] = {}): void =>
    go('plants', writeListPlace(next), options);
  const firstPage = withFilter(place, {});
  const showPrevious = (): void => {
    const before = trail.at(-1);
    if (before === undefined) show(firstPage);
    else go('plants', before, { trail: trail.slice(0, -1) });
  };
  // The last plant of the last page was deleted.
  const isBeyondEnd =
    isCurrent && !isLoading && value?.plants.length === 0 && value.next === undefined && place.page > 1;
  useEffect(() => {
    if (isBeyondEnd) showPrevious();
  }, [isBeyondEnd]);

  // Too many plants for an order by name. The list has its order before, and the notice stays until another list is asked for.
  const lastSort = useRef<Sort>('id');
  if (isCurrent && !isByName(place.sort)) lastSort.current = place.sort;
  const [refused, setRefused] = useState<{ readonly problem: Problem; readonly query: string }>();
  useEffect(() => {
    if (problem?.number !== invalidQuery || !isByName(place.sort)) return;
    const before = withFilter(place, { sort: lastSort.current });
    setRefused({ problem, query: writeListPlace({ ...before, open: undefined }) });
    show(before, { isSmall: true });
  }, [problem]);

  /** Selects the plants of all pages. */
  const selectAll = (): Promise<void> =>
    selecting.run(async () => {
      const all = await readAll(api, firstPage, (count) => announce(`Selecting: ${countOf(count, 'plant')} …`));
      const exact = all.filter(({ id }) => isExact(id));
      setSelection((before) => select(before, exact));
      announce(`Selected ${countOf(exact.length, 'plant')}.`);
    });

  return {
    ...loaded,
    problem: refused?.query === query ? refused.problem : problem,
    place,
    query,
    rows,
    selection,
    setSelection,
    selecting,
    selectAll,
    show,
    firstPage,
    showPrevious,
  };
};
