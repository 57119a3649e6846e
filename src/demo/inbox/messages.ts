/**
 * The last messages of each name, in memory. Readers wait for a change and then read what they do not have, so a slow reader takes no
 * memory.
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
/** @limit The inbox | Size of all messages | the oldest is removed */
export const keptBytesMax = 4 * 1024 * 1024;

interface Box {
  answer: Answer;
  messages: Message[];
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

  const all = (): Message[] =>
    [...boxes.values()].flatMap(({ messages }) => messages).sort((a, b) => a.sequence - b.sequence);

  /** Removes the oldest messages until the rest has the size. */
  const shrink = (): void => {
    const messages = all();
    let bytes = messages.reduce((sum, message) => sum + sizeOf(message), 0);
    for (const message of messages) {
      if (bytes <= keptBytesMax) return;
      bytes -= sizeOf(message);
      boxes.get(message.name)?.messages.shift();
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
      box.messages = [...box.messages, { sequence, ...message }].slice(-messagesMax);
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
    /** The messages after this sequence, and what is kept. */
    after: (last: number): Change => {
      const messages = all();
      return {
        names: [...boxes].map(([name, { answer }]) => ({ name, answer })).sort((a, b) => (a.name < b.name ? -1 : 1)),
        kept: messages.map((message) => message.sequence),
        messages: messages.filter((message) => message.sequence > last),
      };
    },
    /** Counts the changes. */
    version: (): number => version,
    /** Resolves at the next change. */
    changed: (): Promise<void> => next.promise,
  };
};

export type Messages = ReturnType<typeof createMessages>;

const sizeOf = ({ headers, body }: Message): number =>
  Buffer.byteLength(body) + headers.flat().reduce((sum, text) => sum + text.length, 0);
