/** The lessons as a place to work: each exercise can be done and checked in the page, with the same answers as `plant-store check`. */
import { checkLesson } from '../../src/cli/check/lesson.ts';
import { once } from '../../src/pages/once.ts';
import { create } from '../inbox/dom.ts';

/** The document that the exercises edit, loaded when the first one is opened. */
const loadDocument = once(async () => {
  const response = await fetch('lesson.yaml');
  if (!response.ok) throw new Error(`lesson.yaml: ${response.status}`);
  return await response.text();
});

const button = (text: string, act: () => unknown): HTMLButtonElement => {
  const element = create('button', { type: 'button' }, text);
  element.addEventListener('click', () => void act());
  return element;
};

/** Lines with ✓ or ✗ have a colour too. */
const show = (output: HTMLElement, lines: readonly string[]): void =>
  output.replaceChildren(
    ...lines.map((line) =>
      create('span', { class: line.startsWith('✓') ? 'good' : line.startsWith('✗') ? 'bad' : '' }, `${line}\n`),
    ),
  );

const fillExercise = async (place: HTMLElement): Promise<void> => {
  const number = place.dataset['lesson'] ?? '';
  const text = await loadDocument();
  const label = `lesson.yaml, for the exercise of lesson ${number}`;
  const editor = create('textarea', { 'aria-label': label, rows: '20', spellcheck: 'false' }, text);
  const output = create('output', { class: 'answer' });
  const check = async (): Promise<void> => {
    show(output, ['Checking …']);
    show(output, (await checkLesson(number, editor.value)).lines);
  };
  const reset = (): void => {
    editor.value = text;
    show(output, []);
  };
  const buttons = create('p', { class: 'buttons' }, button('Check', check), button('Start again', reset));
  place.replaceChildren(editor, buttons, output);
  scrollTo(editor, text.indexOf(`# Lesson ${number}:`));
  editor.focus({ preventScroll: true });
};

/** Shows the line of this place below another one. The height of the text before it is measured, since its long lines may wrap. */
const scrollTo = (editor: HTMLTextAreaElement, at: number): void => {
  if (at < 0) return;
  const { value, rows } = editor;
  editor.rows = 1;
  editor.value = value.slice(0, at);
  const heightBefore = editor.scrollHeight;
  editor.rows = rows;
  editor.value = value;
  editor.scrollTop = heightBefore - 3 * Number.parseFloat(getComputedStyle(editor).lineHeight);
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
