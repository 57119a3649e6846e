import { describe, expect, test } from 'bun:test';
import { createInboxAddress, isInboxName } from '../../src/base/inbox-address.ts';

const on = (serverUrl: string) => createInboxAddress(() => serverUrl);

test.each([
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/inbox/a', '127.0.0.1'],
  ['http://0.0.0.0:3000', 'http://127.0.0.1:3000/inbox/a', '127.0.0.1'],
  ['http://[::]:3000', 'http://[::1]:3000/inbox/a', '::1'],
  ['http://127.0.0.1', 'http://127.0.0.1/inbox/a', '127.0.0.1'],
  ['http://192.168.1.5:3000', 'http://192.168.1.5:3000/inbox/a', '192.168.1.5'],
  ['http://localhost:3000', 'http://localhost:3000/inbox/a', 'localhost'],
])('a service on %s has the inbox %s', (serverUrl, url, host) => {
  const address = on(serverUrl);
  expect([address.urlOf('a'), address.nameIn(url), address.host()]).toEqual([url, 'a', host]);
});

test('localhost is a name of the two usual addresses, and of no other', () => {
  const url = 'http://localhost:3000/inbox/a';
  expect(on('http://127.0.0.1:3000').nameIn(url)).toBe('a');
  expect(on('http://[::1]:3000').nameIn(url)).toBe('a');
  expect(on('http://127.0.0.2:3000').nameIn(url)).toBeUndefined();
  expect(on('http://192.168.1.5:3000').nameIn(url)).toBeUndefined();
});

describe('on http://127.0.0.1:3000', () => {
  test.each([
    'http://127.0.0.1:3001/inbox/a',
    'http://127.0.0.1/inbox/a',
    'https://127.0.0.1:3000/inbox/a',
    'http://127.0.0.1:3000/inbox',
    'http://127.0.0.1:3000/inbox/',
    'http://127.0.0.1:3000/plants',
    'http://127.0.0.1:3000/inbox/a/b',
    'http://127.0.0.1:3000/inbox/../plants',
    'http://127.0.0.1:3000/inbox/..',
    'http://127.0.0.1:3000/inbox/a?b',
    'http://127.0.0.1:3000/inbox/a#b',
    'http://127.0.0.1:3000/inbox/%61',
    'http://127.0.0.1:3000/inbox/a\n',
    'http://127.0.0.1:3000@evil.example/inbox/a',
    'http://evil.example/http://127.0.0.1:3000/inbox/a',
    'http://127.0.0.1:3000.evil.example/inbox/a',
    'http://127.0.0.2:3000/inbox/a',
    'http://127.1:3000/inbox/a',
    'http://[::1]:3000/inbox/a',
    'http://localhost.:3000/inbox/a',
    'http://LOCALHOST:3000/inbox/a',
  ])('%p is not a URL of the inbox', (url) => {
    expect(on('http://127.0.0.1:3000').nameIn(url)).toBeUndefined();
  });
});

test('a name has 1 to 40 letters, digits, hyphens or underscores', () => {
  expect(['a', 'A-b_9', 'a'.repeat(40)].every(isInboxName)).toBe(true);
  expect(['', 'a'.repeat(41), 'a b', 'é', '.', '..', 'a/b', 'a\n'].some(isInboxName)).toBe(false);
});
