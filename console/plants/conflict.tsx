/** Both values of each member that two people have changed, and the choice between them. */
import { useState } from 'preact/hooks';
import { Time } from '../parts/text.tsx';
import type { Edit } from './edits.ts';
import { conflicts, differences, type MemberName, members, type Plant, type Values, valuesOf } from './members.ts';
import { Value } from './value.tsx';

interface ConflictProps {
  readonly edit: Edit;
  readonly stored: Plant;
  readonly onSave: (values: Values) => void;
  readonly onCancel: () => void;
}

export const Conflict = ({ edit, stored, onSave, onCancel }: ConflictProps) => {
  const seen = valuesOf(edit.plant);
  const mine = edit.values;
  const theirs = valuesOf(stored);
  const [taken, setTaken] = useState<readonly MemberName[]>([]);
  const disputed = conflicts(seen, mine, theirs);
  const own = differences(seen, mine);
  const shown = members.filter(({ name }) => own.includes(name) || theirs[name] !== seen[name]);
  const chosen = (): Values => {
    const ofMine = own.filter((name) => !taken.includes(name)).map((name) => [name, mine[name]] as const);
    return { ...theirs, ...Object.fromEntries(ofMine) };
  };
  return (
    <div class="conflict" role="alert">
      <p>
        <strong>Somebody else has changed plant {`${stored.id}`}</strong> at <Time at={stored.updatedAt} />. Nothing was
        overwritten.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Mine</th>
            <th scope="col">Theirs</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, title }) => (
            <tr key={name}>
              <th scope="row">{title}</th>
              {[mine, theirs].map((values, index) => (
                <td key={values === mine ? 'mine' : 'theirs'}>
                  {disputed.includes(name) ? (
                    <label class="check">
                      <input
                        type="radio"
                        name={`${stored.id} ${name}`}
                        checked={taken.includes(name) === (index === 1)}
                        onChange={() => setTaken(index === 1 ? [...taken, name] : taken.filter((one) => one !== name))}
                      />
                      <Value name={name} value={values[name]} />
                    </label>
                  ) : (
                    <Value name={name} value={values[name]} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="actions">
        <button type="button" class="danger" onClick={() => onSave(chosen())}>
          Save the chosen values
        </button>
        <button type="button" onClick={onCancel}>
          Take all of theirs
        </button>
      </p>
    </div>
  );
};
