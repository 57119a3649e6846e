/** The form of a new plant. */
import { useState } from 'preact/hooks';
import { Problem } from '../api/problem.ts';
import { useFault } from '../parts/fault.tsx';
import { NewForm } from '../parts/new-form.tsx';
import { useTask } from '../parts/task.ts';
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
  const task = useTask();
  const { problem } = task;
  const [id, setId] = useState('');
  const [values, setValues] = useState(noValues);
  const idFault = useFault(problem?.faults['id']);

  const create = async (): Promise<void> => {
    const number = readId(id);
    await actions.create(number, values);
    onCreated(number);
  };
  return (
    <NewForm
      noun="plant"
      save="Save"
      isTyped={id !== '' || differences(noValues, values).length > 0}
      {...{ task, create, onClose, round }}
    >
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
    </NewForm>
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
