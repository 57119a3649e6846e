import type { Draft } from './plant.ts';

interface FieldsProps {
  readonly draft: Draft;
  readonly isNew: boolean;
  readonly isDisabled: boolean;
  readonly onChange: (draft: Draft) => void;
}

export const Fields = ({ draft, isNew, isDisabled, onChange }: FieldsProps) => (
  <div class="fields">
    <label>
      Id
      <input
        class="code"
        value={draft.id}
        onInput={({ currentTarget }) => onChange({ ...draft, id: currentTarget.value })}
        inputMode="numeric"
        readOnly={!isNew}
        disabled={isDisabled}
        autocomplete="off"
      />
    </label>
    <label class="wide">
      Name
      <input
        value={draft.name}
        dir="auto"
        onInput={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        disabled={isDisabled}
        autocomplete="off"
      />
    </label>
    <label>
      Tag
      <input
        value={draft.tag ?? ''}
        dir="auto"
        placeholder={draft.tag === undefined ? 'none' : 'empty'}
        onInput={({ currentTarget }) => onChange({ ...draft, tag: currentTarget.value })}
        disabled={isDisabled}
        autocomplete="off"
      />
    </label>
    <label class="check">
      <input
        type="checkbox"
        checked={draft.tag !== undefined}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange({ ...draft, tag: currentTarget.checked ? '' : undefined })}
      />
      It has a tag
    </label>
  </div>
);
