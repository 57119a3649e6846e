/** What can be done with the list of plants. Undefined is what the token does not permit. */
import type { RefObject } from 'preact';

interface ToolbarProps {
  readonly isLoading: boolean;
  readonly newButton: RefObject<HTMLButtonElement | null>;
  readonly onReload?: () => void;
  readonly onExport?: () => void;
  readonly onImport?: () => void;
  readonly onNew?: () => void;
}

export const Toolbar = ({ isLoading, newButton, onReload, onExport, onImport, onNew }: ToolbarProps) => (
  <div class="head">
    <h2>Plants</h2>
    {isLoading && (
      <p role="status" class="quiet loading">
        Loading …
      </p>
    )}
    <div class="actions">
      {onReload && (
        <button type="button" onClick={onReload}>
          Reload
        </button>
      )}
      {onExport && (
        <button type="button" onClick={onExport}>
          Export
        </button>
      )}
      {onImport && (
        <button type="button" onClick={onImport}>
          Import a file
        </button>
      )}
      {onNew && (
        <button ref={newButton} type="button" class="first" onClick={onNew}>
          New plant
        </button>
      )}
    </div>
  </div>
);
