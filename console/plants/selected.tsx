/** What can be done with the plants that are selected. */
import { useState } from 'preact/hooks';
import { countOf } from '../parts/text.tsx';

interface SelectedProps {
  readonly count: number;
  /** Undefined if all plants that fit the filter are on the page. */
  readonly onSelectAll: (() => void) | undefined;
  readonly isSelecting: boolean;
  readonly onSetTag: (tag: string | undefined) => void;
  readonly onDelete: () => void;
  readonly onExport: () => void;
  readonly onClear: () => void;
}

export const Selected = (props: SelectedProps) => {
  const { count, onSelectAll, isSelecting, onSetTag, onDelete, onExport, onClear } = props;
  const [tag, setTag] = useState('');
  return (
    <section class="panel selected" aria-label="Selected plants">
      <p>
        <strong>{countOf(count, 'plant')} selected</strong>
      </p>
      <div class="actions">
        {onSelectAll && (
          <button type="button" disabled={isSelecting} onClick={onSelectAll}>
            {isSelecting ? 'Selecting …' : 'Select all that fit'}
          </button>
        )}
        <form
          class="in-row"
          onSubmit={(event) => {
            event.preventDefault();
            onSetTag(tag);
            setTag('');
          }}
        >
          <input
            value={tag}
            aria-label="Tag of the selected plants"
            placeholder="Tag"
            dir="auto"
            onInput={({ currentTarget }) => setTag(currentTarget.value)}
            autocomplete="off"
          />
          <button type="submit" disabled={tag === ''}>
            Set the tag
          </button>
        </form>
        <button type="button" onClick={() => onSetTag(undefined)}>
          Remove the tag
        </button>
        <button type="button" onClick={onExport}>
          Export
        </button>
        <button type="button" class="danger" onClick={onDelete}>
          Delete
        </button>
        <button type="button" onClick={onClear}>
          Unselect
        </button>
      </div>
    </section>
  );
};
