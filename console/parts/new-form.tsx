/** The form of something new. It asks before what was typed is lost. */
import type { ComponentChildren } from 'preact';
import { useFocus } from './focus.ts';
import { Notice } from './notice.tsx';
import { askToDiscard } from './question.tsx';
import type { useTask } from './task.ts';
import { useUnsaved } from './unsaved.ts';

interface NewFormProps {
  /** Such as `plant`. */
  readonly noun: string;
  /** The words of the button that creates it. */
  readonly save: string;
  readonly isTyped: boolean;
  readonly task: ReturnType<typeof useTask>;
  readonly create: () => Promise<void>;
  readonly onClose: () => void;
  /** Changes when the form is to get the focus. */
  readonly round?: number;
  readonly children: ComponentChildren;
}

export const NewForm = ({ noun, save, isTyped, task, create, onClose, round, children }: NewFormProps) => {
  const form = useFocus<HTMLFormElement>(round);
  useUnsaved(isTyped);
  const close = async (): Promise<void> => {
    if (isTyped && !(await askToDiscard(`the new ${noun}`))) return;
    onClose();
  };
  return (
    <form
      class="panel"
      ref={form}
      tabIndex={-1}
      aria-label={`New ${noun}`}
      onSubmit={(event) => {
        event.preventDefault();
        void task.run(create);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') void close();
      }}
      noValidate
    >
      <h3>New {noun}</h3>
      {children}
      <Notice problem={task.problem} />
      <p class="actions">
        <button type="submit" class="first" disabled={task.isBusy}>
          {save}
        </button>
        <button type="button" onClick={() => void close()}>
          Cancel
        </button>
      </p>
    </form>
  );
};
