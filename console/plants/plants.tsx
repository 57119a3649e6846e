/** All plants, page by page. A plant is created, changed and imported in a panel above them. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { expect, nextCursorOf } from '../api/client.ts';
import { NeedsScope, Notice } from '../parts/notice.tsx';
import { useLoaded } from '../parts/task.ts';
import { useSession } from '../session.ts';
import { Editor } from './editor.tsx';
import { Import } from './import.tsx';
import { Table } from './table.tsx';

const pageSize = 50;

/** What the panel shows: a form for a new plant, one for the plant with this id, or an import. */
type Panel = { readonly kind: 'new' | 'import' } | { readonly kind: 'edit' | 'delete'; readonly id: string };

export const Plants = () => {
  const { api, can } = useSession();
  const [tag, setTag] = useState('');
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const [panel, setPanel] = useState<Panel>();
  const cursor = cursors.at(-1);
  const canRead = can('plants:read');
  const canWrite = can('plants:write');

  const load = useCallback(async () => {
    const query = { limit: pageSize, ...(tag !== '' && { tag }), ...(cursor !== undefined && { after: cursor }) };
    const { data, response } = await expect(api.plants.get({ query }));
    return { plants: data, next: nextCursorOf(response) };
  }, [api, tag, cursor]);
  const { value, problem, reload } = useLoaded(canRead ? load : undefined);
  const filter = (text: string): void => {
    setTag(text);
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
        {canRead && <TagFilter tag={tag} onFilter={filter} />}
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
          {value?.plants.length === 0 && (
            <p class="quiet">{tag === '' ? 'There are no plants yet.' : 'No plant has this tag.'}</p>
          )}
          <p class="pager">
            <button type="button" disabled={cursors.length === 1} onClick={() => setCursors(cursors.slice(0, -1))}>
              Previous page
            </button>
            <span>Page {cursors.length}</span>
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

/** The list follows the field a moment after the last key. */
const TagFilter = ({ tag, onFilter }: { readonly tag: string; readonly onFilter: (tag: string) => void }) => {
  const [text, setText] = useState(tag);
  useEffect(() => {
    if (text === tag) return;
    const timer = setTimeout(() => onFilter(text), 300);
    return () => clearTimeout(timer);
  });
  return (
    <label class="inline">
      Tag
      <input
        type="search"
        value={text}
        placeholder="all plants"
        maxLength={200}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </label>
  );
};
