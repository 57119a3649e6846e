/** A question to the user, with its answers as buttons. The page waits for the answer. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { createStore, useStore } from './store.ts';

interface Question {
  readonly title: string;
  readonly lines: readonly string[];
  /** The first answer has the focus. Escape is the last one. */
  readonly answers: readonly string[];
  readonly isDangerous?: boolean;
}

interface Asked extends Question {
  readonly resolve: (answer: string) => void;
}

const waiting = createStore<readonly Asked[]>([]);

/** Resolves to the answer. Questions are asked one after the other. */
export const ask = (question: Question): Promise<string> =>
  new Promise((resolve) => waiting.update((before) => [...before, { ...question, resolve }]));

/** Asks before something is lost. Resolves to whether the user wants that: `yes` and `no` are the words of the buttons. */
export const askFirst = async (title: string, lines: readonly string[], yes: string, no: string): Promise<boolean> =>
  (await ask({ title, lines, answers: [yes, no], isDangerous: true })) === yes;

/** Asks before what was typed is lost, such as in `the new plant`. */
export const askToDiscard = (what: string): Promise<boolean> =>
  askFirst(`Discard ${what}?`, ['What you have typed is not saved.'], 'Discard it', 'Keep it');

export const Questions = () => {
  const [asked] = useStore(waiting);
  return asked ? <Dialog key={asked.title} {...asked} /> : null;
};

const Dialog = ({ title, lines, answers, isDangerous = false, resolve }: Asked) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const answer = (text: string): void => {
    // It gives the focus back to the element that had it.
    dialog.current?.close();
    waiting.update((before) => before.slice(1));
    resolve(text);
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="question"
      onCancel={(event) => {
        event.preventDefault();
        answer(answers.at(-1) ?? '');
      }}
    >
      <h2 id="question">{title}</h2>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p class="actions">
        {answers.map((text, index) => (
          <button
            key={text}
            type="button"
            class={index > 0 ? undefined : isDangerous ? 'danger' : 'first'}
            onClick={() => answer(text)}
          >
            {text}
          </button>
        ))}
      </p>
    </dialog>
  );
};
