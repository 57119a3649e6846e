import { expect, test } from 'bun:test';
import { createMessages, keptBytesMax, type Message, messagesMax, namesMax } from '../../../src/demo/inbox/messages.ts';

const message = (name: string, body = ''): Omit<Message, 'sequence'> => ({
  name,
  body,
  receivedAt: '2026-05-01T09:30:00.000Z',
  headers: [],
  verdict: { reason: 'none' },
  answer: '204',
});

test('a name keeps its last messages, and other names keep theirs', () => {
  const messages = createMessages();
  messages.add(message('b'));
  for (let count = 0; count <= messagesMax; count += 1) messages.add(message('a', `${count}`));
  const { kept, messages: found } = messages.after(0);
  expect(kept).toHaveLength(messagesMax + 1);
  expect(kept.slice(0, 2)).toEqual([1, 3]);
  expect(found.filter(({ name }) => name === 'a').map(({ body }) => body)).not.toContain('0');
});

test('the name that was not used for the longest time makes room for another one', () => {
  const messages = createMessages();
  for (let count = 0; count < namesMax; count += 1) messages.add(message(`n${count}`));
  messages.setAnswer('n0', '500');
  messages.add(message('new'));
  const names = messages.after(0).names.map(({ name }) => name);
  expect(names).toHaveLength(namesMax);
  expect(names).toContain('n0');
  expect(names).not.toContain('n1');
  expect(messages.answerOf('n0')).toBe('500');
});

test('all messages together have a maximum size, and the oldest of any name is removed first', () => {
  const messages = createMessages();
  const quarter = 'x'.repeat(keptBytesMax / 4);
  for (const name of ['a', 'b', 'c', 'd']) messages.add(message(name, quarter));
  expect(messages.after(0).kept).toEqual([1, 2, 3, 4]);
  messages.add({ ...message('e'), headers: [['a', '']] });
  expect(messages.after(0).kept).toEqual([2, 3, 4, 5]);
});

test('the size counts bytes, not characters', () => {
  const messages = createMessages();
  messages.add(message('a', 'é'.repeat(keptBytesMax / 2)));
  messages.add(message('a', 'x'));
  expect(messages.after(0).kept).toEqual([2]);
});

test('a reader gets what it does not have, and what is kept', async () => {
  const messages = createMessages();
  messages.add(message('a'));
  const changed = messages.changed();
  messages.add(message('a', 'second'));
  await changed;
  expect(messages.after(1)).toMatchObject({ kept: [1, 2], messages: [{ sequence: 2, body: 'second' }] });
  const version = messages.version();
  messages.clear('a');
  expect(messages.after(2)).toEqual({ names: [], kept: [], messages: [] });
  expect(messages.version()).toBe(version + 1);
});
