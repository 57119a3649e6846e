/** The keys of the page, and whether single keys work. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { keys } from './shortcuts.ts';

interface HelpProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly onClose: () => void;
}

export const Help = ({ isOn, onChange, onClose }: HelpProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="help" onClose={onClose}>
      <h2 id="help">Keys</h2>
      <dl class="keys">
        {keys.map(([key, effect]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
        Single keys work in the whole page
      </label>
      <p class="actions">
        <button type="button" class="first" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </p>
    </dialog>
  );
};
