/** The fields of a row that is edited: Enter saves, and Escape restores. */
import type { TargetedEvent } from 'preact';
import type { Edit } from './edits.ts';
import { MemberInput } from './member-input.tsx';
import { type MemberName, members } from './members.ts';
import { asCell } from './roles.ts';
import type { RowActions } from './row-actions.ts';

interface EditProps {
  readonly edit: Edit;
  /** The member whose field takes the focus. */
  readonly focused: MemberName | undefined;
  readonly actions: RowActions;
}

export const EditCells = ({ edit, focused, actions }: EditProps) => {
  const { id } = edit.plant;
  const onKeyDown = (event: TargetedEvent<HTMLElement, KeyboardEvent>, name: MemberName): void => {
    const isField = event.target instanceof HTMLInputElement;
    if (event.key === 'Escape') actions.onCancel(id, name);
    else if (event.key === 'Enter' && isField && !event.isComposing) actions.onSave(edit, name);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      {members.map((member) => (
        <td
          key={`edit ${member.name}`}
          {...asCell}
          data-label={member.title}
          onKeyDown={(event) => onKeyDown(event, member.name)}
        >
          <MemberInput
            member={member}
            value={edit.values[member.name]}
            label={`${member.title} of plant ${id}`}
            takesFocus={focused === member.name}
            fault={edit.problem?.faults[member.name]}
            onChange={(value) => actions.onType(id, { ...edit.values, [member.name]: value })}
          />
        </td>
      ))}
    </>
  );
};

export const EditButtons = ({ edit, focused = 'name', actions }: EditProps) => {
  const { id } = edit.plant;
  return (
    <>
      <button type="button" class="first" aria-label={`Save plant ${id}`} onClick={() => actions.onSave(edit, focused)}>
        Save
      </button>
      <button type="button" aria-label={`Cancel the edit of plant ${id}`} onClick={() => actions.onCancel(id, focused)}>
        Cancel
      </button>
    </>
  );
};
