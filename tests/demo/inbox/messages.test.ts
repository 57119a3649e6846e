import { expect, test } from 'bun:test';
import {
  type Change,
  createMessages,
  keptBytesMax,
  type Message,
  messagesMax,
  namesMax,
} from '../../../src/demo/inbox/messages.ts';

const message = (name: string, body = ''): Omit<Message, 'sequence'> => ({
  name,
  body,
  receivedAt: '2026-05-01T09:30:00.000Z',
  headers: [],
  verdict: { reason: 'none' },
  answer: '204',
});

const changeAfter = (messages: ReturnType<typeof createMessages>, last = 0): Change =>
  JSON.parse(Buffer.concat([...messages.after(last)]).toString());

test('a name keeps its last messages, and other names keep theirs', () => {
  const messages = createMessages();
  messages.add(message('b'));
  for (let count = 0; count <= messagesMax; count += 1) messages.add(message('a', `${count}`));
  const { kept, messages: found } = changeAfter(messages);
  expect(kept).toHaveLength(messagesMax + 1);
  expect(kept.slice(0, 2)).toEqual([1, 3]);
  expect(found.filter(({ name }) => name === 'a').map(({ body }) => body)).not.toContain('0');
});

test('the name that was not used for the longest time makes room for another one', () => {
  const messages = createMessages();
  for (let count = 0; count < namesMax; count += 1) messages.add(message(`n${count}`));
  messages.setAnswer('n0', '500');
  messages.add(message('new'));
  const names = changeAfter(messages).names.map(({ name }) => name);
  expect(names).toHaveLength(namesMax);
  expect(names).toContain('n0');
  expect(names).not.toContain('n1');
  expect(messages.answerOf('n0')).toBe('500');
});

test('all messages together have a maximum size, and the oldest of any name is removed first', () => {
  const messages = createMessages();
  const around = JSON.stringify({ sequence: 1, ...message('a') }).length;
  const quarter = 'x'.repeat(keptBytesMax / 4 - around);
  for (const name of ['a', 'b', 'c', 'd']) messages.add(message(name, quarter));
  expect(changeAfter(messages).kept).toEqual([1, 2, 3, 4]);
  messages.add({ ...message('e'), headers: [['a', '']] });
  expect(changeAfter(messages).kept).toEqual([2, 3, 4, 5]);
});

test('the size counts bytes, not characters', () => {
  const messages = createMessages();
  messages.add(message('a', 'é'.repeat(keptBytesMax / 2 - 100)));
  messages.add(message('a', 'x'));
  expect(changeAfter(messages).kept).toEqual([2]);
});

test('the size is that of JSON, in which a control character takes six bytes', () => {
  const messages = createMessages();
  messages.add(message('a', '\u0001'.repeat(keptBytesMax / 6)));
  messages.add(message('a', 'x'));
  expect(changeAfter(messages).kept).toEqual([2]);
});

test('a message that is removed while a reader gets a change is not in it', () => {
  const messages = createMessages();
  for (const name of ['a', 'b', 'c']) messages.add(message(name));
  const parts = messages.after(0);
  const read = [parts.next().value, parts.next().value];
  messages.clear('b');
  const change: Change = JSON.parse(Buffer.concat([...read.filter((part) => part !== undefined), ...parts]).toString());
  expect(change).toMatchObject({ kept: [1, 2, 3], messages: [{ name: 'a' }, { name: 'c' }] });
});

test('a reader gets what it does not have, and what is kept', async () => {
  const messages = createMessages();
  messages.add(message('a'));
  const changed = messages.changed();
  messages.add(message('a', 'second'));
  await changed;
  expect(changeAfter(messages, 1)).toMatchObject({ kept: [1, 2], messages: [{ sequence: 2, body: 'second' }] });
  const version = messages.version();
  messages.clear('a');
  expect(changeAfter(messages, 2)).toEqual({ names: [], kept: [], messages: [] });
  expect(messages.version()).toBe(version + 1);
});
