/** The messages of one name, the newest first, with the switch of its answer. */
import { clearBox, setAnswer } from './actions.ts';
import type { Message } from './change.ts';
import { create } from './dom.ts';
import { idOf, showMessage } from './message.ts';

const choices = [
  ['204', '204', 'The delivery succeeds'],
  ['500', '500', 'The service tries again, first after 5 seconds'],
  ['410', '410', 'The webhook is disabled'],
  ['slow', 'Slow', 'After 20 seconds; the service waits 15'],
] as const;

export interface Box {
  readonly element: HTMLElement;
  /** Shows where the switch is. */
  setAnswer(answer: string): void;
  add(message: Message): void;
  /** Removes the messages that are not among these. */
  keep(sequences: ReadonlySet<number>): void;
  /** What is known of the webhooks with this URL. */
  setWebhooks(lines: readonly string[]): void;
}

export const createBox = (name: string): Box => {
  const shown = new Map<number, { readonly element: HTMLElement; readonly id: string | undefined }>();
  const list = create('div', { class: 'messages' });
  const empty = create('p', { class: 'quiet' }, 'No message yet.');
  const webhooks = create('ul', { class: 'webhooks' });
  const radios = choices.map(([value, label, effect]) => {
    const input = create('input', { type: 'radio', name: `answer-${name}`, value });
    input.addEventListener('change', () => void setAnswer(name, value));
    return {
      input,
      label: create('label', { title: effect }, input, create('span', {}, label), create('small', {}, effect)),
    };
  });
  const clear = create('button', { type: 'button', 'aria-label': `Clear ${name}` }, 'Clear');
  clear.addEventListener('click', () => void clearBox(name));
  const element = create(
    'section',
    { class: 'box', id: name, 'aria-labelledby': `title-${name}` },
    create('div', { class: 'head' }, create('h2', { id: `title-${name}` }, name), clear),
    webhooks,
    create('fieldset', {}, create('legend', {}, 'The inbox answers'), ...radios.map(({ label }) => label)),
    empty,
    list,
  );

  return {
    element,
    setAnswer: (answer) => {
      for (const { input } of radios) input.checked = input.value === answer;
    },
    add: (message) => {
      const id = idOf(message);
      const attempt = 1 + [...shown.values()].filter((other) => id !== undefined && other.id === id).length;
      const shownMessage = showMessage(message, attempt);
      shownMessage.toggleAttribute('open', shown.size === 0);
      shown.set(message.sequence, { element: shownMessage, id });
      list.prepend(shownMessage);
      empty.hidden = true;
    },
    keep: (sequences) => {
      for (const [sequence, { element: old }] of shown)
        if (!sequences.has(sequence)) {
          old.remove();
          shown.delete(sequence);
        }
      empty.hidden = shown.size > 0;
    },
    setWebhooks: (lines) => webhooks.replaceChildren(...lines.map((line) => create('li', {}, line))),
  };
};
