/** The lessons as a place to work: each exercise can be done and checked in the page, with the same answers as `plant-store check`. */
import { checkLesson } from '../../src/cli/check/lesson.ts';

/** The document that the exercises edit, loaded when the first one is opened. */
let loaded: Promise<string> | undefined;

const loadDocument = (): Promise<string> => {
  loaded ??= fetch('lesson.yaml').then((response) => {
    if (!response.ok) throw new Error(`lesson.yaml: ${response.status}`);
    return response.text();
  });
  return loaded;
};

const create = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  members: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] => Object.assign(document.createElement(name), members);

const button = (text: string, act: () => unknown): HTMLButtonElement =>
  create('button', { type: 'button', textContent: text, onclick: () => void act() });

/** Lines with ✓ or ✗ have a colour too. */
const show = (output: HTMLElement, lines: readonly string[]): void =>
  output.replaceChildren(
    ...lines.map((line) =>
      create('span', {
        className: line.startsWith('✓') ? 'good' : line.startsWith('✗') ? 'bad' : '',
        textContent: `${line}\n`,
      }),
    ),
  );

const fillExercise = async (place: HTMLElement): Promise<void> => {
  const number = place.dataset['lesson'] ?? '';
  const text = await loadDocument();
  const editor = create('textarea', { value: text, rows: 20, spellcheck: false });
  editor.setAttribute('aria-label', `lesson.yaml, for the exercise of lesson ${number}`);
  const output = create('output', { className: 'answer' });
  const check = async (): Promise<void> => {
    show(output, ['Checking …']);
    show(output, (await checkLesson(number, editor.value)).lines);
  };
  const reset = (): void => {
    editor.value = text;
    show(output, []);
  };
  const buttons = create('p', { className: 'buttons' });
  buttons.append(button('Check', check), button('Start again', reset));
  place.replaceChildren(editor, buttons, output);
  const at = text.indexOf(`# Lesson ${number}:`);
  const lineHeight = Number.parseFloat(getComputedStyle(editor).lineHeight);
  if (at > 0) editor.scrollTop = (text.slice(0, at).split('\n').length - 2) * lineHeight;
  editor.focus({ preventScroll: true });
};

for (const place of document.querySelectorAll<HTMLElement>('[data-lesson]')) {
  const start = button('Do it here', () =>
    fillExercise(place).catch((error: Error) => start.after(` ${error.message}`)),
  );
  place.append(start);
}

const usual = 'http://127.0.0.1:3000';

/** The commands are for the address at which the page is served. */
const here = new URL('.', location.href).href.replace(/\/$/, '');
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
  if (node.nodeValue?.includes(usual)) node.nodeValue = node.nodeValue.replaceAll(usual, here);
document.querySelector('#address')?.append(here);

for (const code of document.querySelectorAll('pre > code')) {
  const copy = button('Copy', async () => {
    // A browser has a clipboard only for HTTPS and for its own machine.
    if (isSecureContext) await navigator.clipboard.writeText(`${code.textContent}`);
    else getSelection()?.selectAllChildren(code);
    copy.textContent = isSecureContext ? 'Copied' : 'Selected';
  });
  copy.className = 'copy';
  // The button comes first, so that lines go around it.
  code.before(copy);
}
