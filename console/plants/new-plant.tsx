/** The form of a new plant. */
import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Problem } from '../api/problem.ts';
import { useFault } from '../parts/fault.tsx';
import { useFocus } from '../parts/focus.ts';
import { Notice } from '../parts/notice.tsx';
import { askToDiscard } from '../parts/question.tsx';
import { useTask } from '../parts/task.ts';
import { useUnsaved } from '../parts/unsaved.ts';
import type { PlantActions } from './actions.ts';
import { MemberInput } from './member-input.tsx';
import { differences, members, noValues } from './members.ts';

interface NewPlantProps {
  readonly actions: PlantActions;
  /** Changes when the form is to get the focus. */
  readonly round: number;
  readonly onCreated: (id: bigint) => void;
  readonly onClose: () => void;
}

export const NewPlant = ({ actions, round, onCreated, onClose }: NewPlantProps) => {
  const { isBusy, problem, run } = useTask();
  const [id, setId] = useState('');
  const [values, setValues] = useState(noValues);
  const form = useFocus<HTMLFormElement>(round);
  const isTyped = id !== '' || differences(noValues, values).length > 0;
  useUnsaved(isTyped);
  const idFault = useFault(problem?.faults['id']);

  const submit = (event: TargetedEvent<HTMLFormElement, Event>): void => {
    event.preventDefault();
    void run(async () => {
      const number = readId(id);
      await actions.create(number, values);
      onCreated(number);
    });
  };
  const close = async (): Promise<void> => {
    if (isTyped && !(await askToDiscard('the new plant'))) return;
    onClose();
  };
  return (
    <form
      class="panel"
      ref={form}
      tabIndex={-1}
      aria-label="New plant"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') void close();
      }}
      noValidate
    >
      <h3>New plant</h3>
      <div class="fields">
        <label>
          Id
          {/* The numeric keyboards of telephones have no minus. */}
          <input
            class="code"
            value={id}
            onInput={({ currentTarget }) => setId(currentTarget.value)}
            inputMode="text"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            {...idFault.attributes}
          />
          {idFault.shown}
        </label>
        {members.map((member) => (
          <div key={member.name} class={member.name === 'name' ? 'wide' : undefined}>
            <label htmlFor={`new-${member.name}`}>{member.title}</label>
            <MemberInput
              id={`new-${member.name}`}
              member={member}
              value={values[member.name]}
              fault={problem?.faults[member.name]}
              onChange={(value) => setValues({ ...values, [member.name]: value })}
            />
          </div>
        ))}
      </div>
      <Notice problem={problem} />
      <p class="actions">
        <button type="submit" class="first" disabled={isBusy}>
          Save
        </button>
        <button type="button" onClick={() => void close()}>
          Cancel
        </button>
      </p>
    </form>
  );
};

/** An int64 as a BigInt. Throws Problem for another text. */
const readId = (text: string): bigint => {
  const digits = text.trim();
  const id = /^-?\d{1,30}$/.test(digits) ? BigInt(digits) : undefined;
  if (id !== undefined && BigInt.asIntN(64, id) === id) return id;
  const message = 'The id must be an integer from -9223372036854775808 to 9223372036854775807.';
  throw new Problem({ status: 400, message, faults: { id: message } });
};
