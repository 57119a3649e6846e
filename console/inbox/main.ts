/** The script of the inbox. It shows the messages as they arrive, in every open page. */
import { readToken } from '../api/pasted-token.ts';
import { addWebhook, createPlant, sendTest, stateOf, webhooksOf } from './actions.ts';
import { type Box, createBox } from './box.ts';
import { type Change, follow } from './change.ts';
import { find } from './dom.ts';
import { isVerified, typeOf } from './message.ts';

const { url: inboxUrl = '' } = document.body.dataset;
const boxes = new Map<string, Box>();
const form = find('form');
if (!(form instanceof HTMLFormElement)) throw new Error('The page has no form.');

/** The name of a link such as `/inbox#plants`. */
const linkedName = location.hash.slice(1);
const nameField = form.elements.namedItem('name');
if (nameField instanceof HTMLInputElement && /^[\w-]{1,40}$/.test(linkedName)) nameField.value = linkedName;

const fieldOf = (name: string): string => `${new FormData(form).get(name) ?? ''}`.trim();
/** The token of the form, whatever was pasted with it. */
const token = (): string => readToken(fieldOf('token'));
const urlOfForm = (): string => inboxUrl + fieldOf('name');

/** Text for everyone, also for users of screen readers. */
const say = (text: string): void => {
  find('outcome').textContent = text;
};

const show = ({ names, kept, messages }: Change, isFirst: boolean): void => {
  const remaining = new Set(names.map(({ name }) => name));
  for (const [name, { element }] of boxes)
    if (isFirst || !remaining.has(name)) {
      element.remove();
      boxes.delete(name);
    }
  for (const { name, answer } of names) {
    const box = boxes.get(name) ?? createBox(name);
    if (!boxes.has(name)) find('boxes').append(box.element);
    boxes.set(name, box);
    box.setAnswer(answer);
    box.keep(new Set(kept));
  }
  for (const message of messages) boxes.get(message.name)?.add(message);
  const newest = messages.at(-1);
  if (newest && !isFirst)
    say(`${newest.name}: ${typeOf(newest.body)} has arrived, ${isVerified(newest) ? 'verified' : 'not verified'}.`);
  if (isFirst && linkedName !== '') document.getElementById(linkedName)?.scrollIntoView({ block: 'nearest' });
  refreshSoon();
};

/** The outcome of an attempt is stored a moment after its answer. */
const refreshSoon = (): void => {
  clearTimeout(refreshing);
  refreshing = setTimeout(() => void showWebhooks().catch(() => {}), refreshMs);
};
let refreshing: ReturnType<typeof setTimeout> | undefined;
const refreshMs = 700;

const showWebhooks = async (): Promise<void> => {
  const own = token();
  if (own === '') return;
  const webhooks = await webhooksOf(own);
  for (const [name, box] of boxes) {
    const ofBox = webhooks.filter(({ url }) => url === inboxUrl + name);
    box.setWebhooks(await Promise.all(ofBox.map((webhook) => stateOf(own, webhook))));
  }
};

const actions: Readonly<Record<string, () => Promise<string>>> = {
  webhook: () => addWebhook(token(), urlOfForm()),
  test: () => sendTest(token(), urlOfForm()),
  plant: () => createPlant(token()),
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const action = event.submitter instanceof HTMLButtonElement ? actions[event.submitter.value] : undefined;
  say(await (action ?? (() => Promise.resolve('')))().catch((error: Error) => error.message));
  refreshSoon();
});

const showUrl = (): void => {
  find('url').textContent = urlOfForm();
};
form.addEventListener('input', showUrl);
showUrl();

find('copy').addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(urlOfForm());
    say('The URL is copied.');
  } catch {
    // Browsers have a clipboard only for https and localhost.
    getSelection()?.selectAllChildren(find('url'));
    say('The URL is selected: copy it with the keyboard.');
  }
});

follow(show, (isOpen) => {
  const state = find('state');
  state.textContent = isOpen ? 'Live' : 'Not connected. Trying again …';
  state.classList.toggle('live', isOpen);
});
