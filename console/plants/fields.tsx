import type { JSX } from 'preact';
import type { Draft, Member } from './draft.ts';

interface FieldsProps {
  readonly draft: Draft;
  readonly isNew: boolean;
  readonly isDisabled: boolean;
  readonly onChange: (draft: Draft) => void;
}

type Field = (props: FieldsProps) => JSX.Element;

/** The compiler refuses a new member that has no field. */
const fields: Readonly<Record<Member, Field>> = {
  id: ({ draft, isNew, isDisabled, onChange }) => (
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
  ),
  name: ({ draft, isDisabled, onChange }) => (
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
  ),
  tag: ({ draft, isDisabled, onChange }) => (
    <>
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
    </>
  ),
};

export const Fields = (props: FieldsProps) => (
  <div class="fields">
    {Object.entries(fields).map(([name, Field]) => (
      <Field key={name} {...props} />
    ))}
  </div>
);
