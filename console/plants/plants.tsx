/** All plants, page by page. A plant is created, changed and imported in a panel above them. */
import { useCallback, useState } from 'preact/hooks';
import { expect, nextCursorOf } from '../api/client.ts';
import { NeedsScope, Notice } from '../parts/notice.tsx';
import { useLoaded } from '../parts/task.ts';
import { useSession } from '../session.ts';
import { Editor } from './editor.tsx';
import { everything, type Filter, FilterFields } from './filter.tsx';
import { Import } from './import.tsx';
import { Table } from './table.tsx';

const pageSize = 50;

/** What the panel shows: a form for a new plant, one for the plant with this id, or an import. */
type Panel = { readonly kind: 'new' | 'import' } | { readonly kind: 'edit' | 'delete'; readonly id: string };

export const Plants = () => {
  const { api, can } = useSession();
  const [filter, setFilter] = useState(everything);
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const [panel, setPanel] = useState<Panel>();
  const cursor = cursors.at(-1);
  const canRead = can('plants:read');
  const canWrite = can('plants:write');

  const load = useCallback(async () => {
    const { tags, name, sort } = filter;
    const query = {
      limit: pageSize,
      sort,
      // A search for names has no count.
      ...(name === '' ? { count: true } : { name }),
      ...(tags.length > 0 && { tag: [...tags] }),
      ...(cursor !== undefined && { after: cursor }),
    };
    const { data, response } = await expect(api.plants.get({ query }));
    return { plants: data, next: nextCursorOf(response), total: response.headers.get('x-total-count') };
  }, [api, filter, cursor]);
  const { value, problem, reload } = useLoaded(canRead ? load : undefined);
  const choose = (chosen: Filter): void => {
    setFilter(chosen);
    setCursors([undefined]);
  };
  const close = (): void => setPanel(undefined);
  const closeAndReload = (): void => {
    close();
    void reload();
  };

  return (
    <>
      <div class="head">
        <h2>Plants</h2>
        <div class="actions">
          {canRead && (
            <button type="button" onClick={() => void reload()}>
              Reload
            </button>
          )}
          {canWrite && (
            <button type="button" onClick={() => setPanel({ kind: 'import' })}>
              Import a file
            </button>
          )}
          {canWrite && (
            <button type="button" class="first" onClick={() => setPanel({ kind: 'new' })}>
              New plant
            </button>
          )}
        </div>
      </div>
      {canRead && <FilterFields filter={filter} onChange={choose} />}
      {panel?.kind === 'import' && <Import onClose={close} onImported={reload} />}
      {panel && panel.kind !== 'import' && (
        <Editor
          key={`${panel.kind} ${'id' in panel ? panel.id : ''}`}
          id={'id' in panel ? panel.id : undefined}
          isDeleting={panel.kind === 'delete'}
          onDone={closeAndReload}
          onClose={close}
        />
      )}
      <Notice problem={problem} />
      {canRead ? (
        <>
          <Table
            plants={value?.plants ?? []}
            canWrite={canWrite}
            onEdit={(id) => setPanel({ kind: 'edit', id })}
            onDelete={(id) => setPanel({ kind: 'delete', id })}
          />
          {value?.plants.length === 0 && <p class="quiet">{wordsForNone(filter, value.next !== undefined)}</p>}
          <p class="pager">
            <button type="button" disabled={cursors.length === 1} onClick={() => setCursors(cursors.slice(0, -1))}>
              Previous page
            </button>
            <span>
              Page {cursors.length}
              {value?.total && ` of ${value.total} ${value.total === '1' ? 'plant' : 'plants'}`}
            </span>
            <button
              type="button"
              disabled={value?.next === undefined}
              onClick={() => setCursors([...cursors, value?.next])}
            >
              Next page
            </button>
          </p>
        </>
      ) : (
        <NeedsScope scope="plants:read">Plants are not shown.</NeedsScope>
      )}
    </>
  );
};

/** A page of a search can be empty, although later ones have plants. */
const wordsForNone = ({ tags, name }: Filter, hasNext: boolean): string => {
  if (hasNext) return 'No plant in this part of the list. The next page searches on.';
  return tags.length === 0 && name === '' ? 'There are no plants yet.' : 'No plant fits.';
};
