/**
 * The last messages of each name, in memory, each as JSON that all readers share. Readers wait for a change and then read what they do not have,
 * one message at a time, so a slow reader takes no memory but for that message.
 */
import type { Answer } from './answer.ts';
import type { Verdict } from './verdict.ts';

export interface Message {
  /** Counts all messages, from 1. */
  readonly sequence: number;
  readonly name: string;
  /** RFC 3339, UTC. */
  readonly receivedAt: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly verdict: Verdict;
  readonly answer: Answer;
}

/** What a reader needs to show all messages. */
export interface Change {
  readonly names: readonly { readonly name: string; readonly answer: Answer }[];
  /** The sequences of all messages that are kept. */
  readonly kept: readonly number[];
  /** The messages that the reader does not have. */
  readonly messages: readonly Message[];
}

/** @limit The inbox | Names | the least recently used one is removed */
export const namesMax = 20;
/** @limit The inbox | Messages of a name | the oldest is removed */
export const messagesMax = 50;
/** @limit The inbox | Size of all messages, as JSON | the oldest is removed */
export const keptBytesMax = 4 * 1024 * 1024;

interface Kept extends Pick<Message, 'sequence' | 'name'> {
  readonly json: Uint8Array;
}

interface Box {
  answer: Answer;
  messages: Kept[];
}

export const createMessages = () => {
  /** The one that was used last is at the end. */
  const boxes = new Map<string, Box>();
  let sequence = 0;
  let version = 0;
  let next = Promise.withResolvers<void>();

  const use = (name: string): Box => {
    const box = boxes.get(name) ?? { answer: '204', messages: [] };
    boxes.delete(name);
    boxes.set(name, box);
    for (const [oldest] of boxes) if (boxes.size > namesMax) boxes.delete(oldest);
    return box;
  };

  const all = (): Kept[] =>
    [...boxes.values()].flatMap(({ messages }) => messages).sort((a, b) => a.sequence - b.sequence);

  /** Removes the oldest messages until the rest has the size. */
  const shrink = (): void => {
    const messages = all();
    let bytes = messages.reduce((sum, { json }) => sum + json.length, 0);
    for (const { name, json } of messages) {
      if (bytes <= keptBytesMax) return;
      bytes -= json.length;
      boxes.get(name)?.messages.shift();
    }
  };

  const announce = (): void => {
    version += 1;
    next.resolve();
    next = Promise.withResolvers();
  };

  return {
    add: (message: Omit<Message, 'sequence'>): void => {
      const box = use(message.name);
      sequence += 1;
      const json = Buffer.from(JSON.stringify({ sequence, ...message } satisfies Message));
      box.messages = [...box.messages, { sequence, name: message.name, json }].slice(-messagesMax);
      shrink();
      announce();
    },
    answerOf: (name: string): Answer => boxes.get(name)?.answer ?? '204',
    setAnswer: (name: string, answer: Answer): void => {
      use(name).answer = answer;
      announce();
    },
    /** Removes the messages of the name, and the name. */
    clear: (name: string): void => {
      if (boxes.delete(name)) announce();
    },
    /** The Change of a reader that has all messages up to this sequence, as JSON. A message that is removed meanwhile is not in it. */
    *after(last: number): Generator<Uint8Array> {
      const names = [...boxes]
        .map(([name, { answer }]) => ({ name, answer }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      const kept = all().map(({ name, sequence }) => ({ name, sequence }));
      const change = { names, kept: kept.map((one) => one.sequence), messages: [] } satisfies Change;
      yield Buffer.from(JSON.stringify(change).slice(0, -end.length));
      let isFirst = true;
      for (const { name, sequence } of kept) {
        if (sequence <= last) continue;
        const found = boxes.get(name)?.messages.find((one) => one.sequence === sequence);
        if (!found) continue;
        if (!isFirst) yield comma;
        isFirst = false;
        yield found.json;
      }
      yield end;
    },
    /** The sequence of the newest message, or 0. */
    newest: (): number => sequence,
    /** Counts the changes. */
    version: (): number => version,
    /** Resolves at the next change. */
    changed: (): Promise<void> => next.promise,
  };
};

export type Messages = ReturnType<typeof createMessages>;

const comma = Buffer.from(',');
const end = Buffer.from(']}');
