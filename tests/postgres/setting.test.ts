/** `DATABASE_URL` with a URL of PostgreSQL. */
import { describe, expect, test } from 'bun:test';
import { readConfig, SettingError } from '../../src/config/config.ts';
import { loadEngine } from '../../src/engines/load.ts';
import { parsePostgresUrl } from '../../src/postgres/driver/url.ts';
import { engine } from '../../src/postgres/engine.ts';

const read = (text: string) => readConfig({}, { DATABASE_URL: text }, engine).database;

test.each(['postgres', 'postgresql'])('a URL of %s is one of PostgreSQL, and its name has no login', async (scheme) => {
  const url = `${scheme}://u:hunter2@h/d`;
  expect(await loadEngine(url)).toBe(engine);
  expect(read(url)).toMatchObject({ engine: 'postgres', name: 'postgres://h:5432/d', isOneServer: true });
  expect(JSON.stringify(read(url))).not.toContain('hunter2');
  expect(parsePostgresUrl(url)).toMatchObject({ hosts: [{ host: 'h', port: 5432 }], user: 'u', database: 'd' });
});

test.each(['plants.sqlite', 'file:postgres.sqlite', 'postgres:/h', ''])('%p needs no other engine', async (text) => {
  expect(await loadEngine(text)).toBeUndefined();
});

test('two hosts are not one server', () => {
  expect(read('postgres://u@a,b/d')).toMatchObject({ name: 'postgres://a:5432,b:5432/d', isOneServer: false });
});

test.each([
  ['postgres://u@/d?host=[::1],[fe80::2]', 'postgres://u@/d?host=::1,fe80::2'],
  ['postgres://u@[::1]:1/d', 'postgres://u@/d?host=::1&port=1'],
])('%s has the same meaning as without brackets', (text, plain) => {
  expect(JSON.stringify(parsePostgresUrl(text))).toBe(JSON.stringify(parsePostgresUrl(plain)));
  expect(JSON.stringify(read(text))).toBe(JSON.stringify(read(plain)));
});

describe('a URL that does not parse', () => {
  test.each([
    ['postgres://u:hunter2@h/d?sslmod=require', 'its parameters must be of host, port, user, '],
    ['postgres://u:hunter2@h/d?sslmode=requires', 'its sslmode must be one of disable, allow, prefer, require, '],
  ])('is refused with the reason: %s', (text, reason) => {
    expect(() => read(text)).toThrow(`DATABASE_URL must be a valid PostgreSQL URL: ${reason}`);
  });

  test.each([
    'postgres://localhost/plants',
    'postgres://',
    'postgres://u@[127.0.0.1]/d',
    'postgres://u@/d?host=[::1',
    'postgres://u@/d?host=*',
    'postgres://u@h/d?application_name=a\r',
  ])('is refused by the name of the setting: %p', (text) => {
    expect(() => read(text)).toThrow(SettingError);
    expect(() => read(text)).toThrow(/^DATABASE_URL must be /);
  });

  test('is refused with its invisible characters', () => {
    expect(() => read('postgres://u:p\n@h/d')).toThrow(/\. The value contains \\u000a\.$/);
  });
});
