/** One message: when it arrived, the verdict and the answer, and on demand its headers, its body and the text that was signed. */
import type { Message } from './change.ts';
import { create, showText } from './dom.ts';

/** `attempt` counts the messages with its `webhook-id` so far. */
export const showMessage = (message: Message, attempt: number): HTMLElement => {
  const { verdict, answer, receivedAt, headers, body } = message;
  const isVerified = verdict.webhookId !== undefined;
  const again = attempt > 1 ? [create('span', { class: 'again' }, `attempt ${attempt}`)] : [];
  const summary = create(
    'summary',
    {},
    create('time', { datetime: receivedAt }, timeOf(receivedAt)),
    create('strong', { class: 'type' }, showText(typeOf(body))),
    create('span', { class: isVerified ? 'good' : 'bad' }, isVerified ? '✓ verified' : '✗ not verified'),
    create('span', { class: answer === '204' ? 'quiet' : 'bad' }, answerOf(answer)),
    ...again,
  );
  const reason = isVerified
    ? create(
        'p',
        {},
        'The library standardwebhooks has verified the signature with the secret of ',
        create('code', {}, `${verdict.webhookId}`),
        '.',
      )
    : create('p', {}, `Not verified: ${verdict.reason}`);
  return create(
    'details',
    { class: 'message' },
    summary,
    reason,
    section('Headers', headersOf(headers)),
    section('Body', block('Body', showText(body))),
    section('Signed text', ...signedText(message)),
  );
};

/** The `webhook-id`, which is the same in all attempts. */
export const idOf = ({ headers }: Message): string | undefined => headerOf(headers, 'webhook-id');

export const isVerified = ({ verdict }: Message): boolean => verdict.webhookId !== undefined;

/** The `type` in the body, or a word for a body without one. */
export const typeOf = (body: string): string => {
  try {
    const { type } = JSON.parse(body);
    return typeof type === 'string' ? type.slice(0, typeLengthMax) : 'message';
  } catch {
    return 'message';
  }
};

const typeLengthMax = 40;

export const answerOf = (answer: string): string => (answer === 'slow' ? 'answered too slowly' : `answered ${answer}`);

const headerOf = (headers: Message['headers'], name: string): string | undefined =>
  headers.find(([one]) => one === name)?.[1];

const timeOf = (text: string): string => new Date(text).toLocaleTimeString(undefined, { hour12: false });

const section = (title: string, ...contents: readonly Node[]): HTMLElement =>
  create('section', {}, create('h3', {}, title), ...contents);

/** It can be scrolled, so it must take the focus. */
const block = (label: string, ...contents: readonly (Node | string)[]): HTMLElement =>
  create('pre', { tabindex: '0', role: 'group', 'aria-label': label, dir: 'ltr' }, ...contents);

const headersOf = (headers: Message['headers']): HTMLElement =>
  create(
    'dl',
    {},
    ...inOrder(headers).map(([name, value]) =>
      create(
        'div',
        isSigning(name) ? { class: 'signing' } : {},
        create('dt', {}, name),
        create('dd', { dir: 'ltr' }, showText(value)),
      ),
    ),
  );

/** Those of the signature first. */
const inOrder = (headers: Message['headers']): Message['headers'] =>
  headers.toSorted(([a], [b]) => Number(isSigning(b)) - Number(isSigning(a)));

const isSigning = (name: string): boolean => name.startsWith('webhook-');

/** Standard Webhooks signs the id, the time and the body, with dots between them. */
const signedText = (message: Message): HTMLElement[] => {
  const id = idOf(message);
  const timestamp = headerOf(message.headers, 'webhook-timestamp');
  if (id === undefined || timestamp === undefined || headerOf(message.headers, 'webhook-signature') === undefined)
    return [create('p', {}, 'The message has not all three headers of a signature.')];
  const part = (name: string, text: string): HTMLElement => create('span', { class: name }, showText(text));
  return [
    create('p', {}, create('code', {}, 'webhook-id'), ' . ', create('code', {}, 'webhook-timestamp'), ' . body'),
    block('Signed text', part('id', id), '.', part('timestamp', timestamp), '.', part('body', message.body)),
  ];
};
