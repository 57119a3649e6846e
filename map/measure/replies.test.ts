/** The replies of authors: each is to a verdict of the map, and says where it can be read. */
import { expect, test } from 'bun:test';
import { readMapData } from './data.ts';
import { type EnteredReply, replies, replyTo } from './replies.ts';

const reply: EnteredReply = {
  tool: 'orval',
  feature: 'anchor',
  date: '2026-11-27',
  url: 'https://tracker.example/1',
  words: 'It is on purpose.',
  isOpen: true,
};

const { tools } = await readMapData();

const problemsOf = (all: readonly EnteredReply[]): string[] =>
  all.flatMap(({ tool, feature, date, url, words }) => {
    const verdict = tools.find(({ id }) => id === tool)?.verdicts.find((one) => one.feature === feature);
    return [
      ...(verdict === undefined ? [`${tool}, ${feature}: no such verdict`] : []),
      ...(/^\d{4}-\d\d-\d\d$/.test(date) ? [] : [`${tool}, ${feature}: ${date}`]),
      ...(url.startsWith('https://') ? [] : [`${tool}, ${feature}: ${url}`]),
      ...(words.trim() === '' ? [`${tool}, ${feature}: no words`] : []),
    ];
  });

test('each reply is to a verdict of the map, with its date, address and words', () => {
  expect(problemsOf(replies)).toEqual([]);
  expect(problemsOf([reply])).toEqual([]);
  expect(problemsOf([{ ...reply, feature: 'absent', date: 'today', url: 'x', words: ' ' }])).toHaveLength(4);
});

test('the last reply to a verdict counts', () => {
  const later = { ...reply, date: '2026-11-28', isOpen: false };
  expect(replyTo('orval', 'anchor', [reply, later])).toEqual({
    date: later.date,
    url: reply.url,
    words: reply.words,
    isOpen: false,
  });
  expect(replyTo('orval', 'defs', [reply])).toBeUndefined();
});
