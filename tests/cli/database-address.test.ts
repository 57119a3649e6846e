/** An address that is not one of PostgreSQL, wherever a database is named. No program may take it for a file, or print its password. */
import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { readConfig, SettingError } from '../../src/config/config.ts';
import { engine } from '../../src/postgres/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/programs/command.ts';

const password = 'hunter2';
const url = `postgres://keeper:${password}@127.0.0.1:1/plants`;
const login = url.slice('postgres://'.length);

const misspelt = [
  `"${url}"`,
  `'${url}'`,
  ` ${url}`,
  `DATABASE_URL=${url}`,
  `psql ${url}`,
  `file:${url}`,
  url.toUpperCase().replace('HUNTER2', password),
  ...['postgre', 'pg', 'jdbc:postgresql', 'postgresql+psycopg2', 'mysql', 'http'].map(
    (scheme) => `${scheme}://${login}`,
  ),
  ...['postgres:/', 'postgres;//', 'postgres//', 'postgres:', '//', '/', ''].map((start) => `${start}${login}`),
  `jdbc:postgresql:plants?user=keeper&password=${password}`,
  `host=127.0.0.1 port=1 user=keeper password=${password} dbname=plants`,
  `password = '${password}' host = '127.0.0.1'`,
  `Host=127.0.0.1;Username=keeper;Password=${password}`,
  encodeURIComponent(url),
  encodeURIComponent(encodeURIComponent(url)),
  `postgres:%2F%2Fkeeper:${password}%zz@127.0.0.1/plants`,
];

/** Each names its database with --database, or where the function puts it. */
const commands: readonly (readonly string[])[] = [
  ['serve', '--port', '0'],
  ['migrate'],
  ['token', 'list'],
  ['token', 'create', '--name', 'a'],
  ['import', '-'],
  ['export', '-'],
  ['backup', 'copy.sqlite'],
  ['webhook', 'list'],
  ['tail'],
];

/** Runs a command, which must refuse the address of the setting. */
const expectRefusal = async (setting: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  using folder = temporaryFolder();
  const { exitCode, stdout, stderr } = await runCommand(args, { cwd: folder.path, env });
  expect(stdout + stderr).not.toContain(password);
  expect({ exitCode, stdout, files: readdirSync(folder.path) }).toEqual({ exitCode: 2, stdout: '', files: [] });
  expect(stderr).toStartWith(
    `plant-store: ${setting} must be postgres://user:password@host/database without quotation marks, or the path of a SQLite file.`,
  );
};

const command = (index: number): readonly string[] => commands[index % commands.length] ?? [];

test.each(misspelt.map((text, index) => [text, index] as const))(
  'the program refuses %s as its database, and says what is expected',
  async (text, index) => {
    await Promise.all([
      expectRefusal('--database', [...command(index), '--database', text]),
      expectRefusal('DATABASE_URL', command(index + 4), { DATABASE_URL: text }),
      expectRefusal('FROM', ['copy', text, 'to.sqlite']),
    ]);
  },
);

test('every command refuses an address that is not one of PostgreSQL', async () => {
  const [quoted = ''] = misspelt;
  for (const one of commands) {
    await expectRefusal('--database', [...one, '--database', quoted]);
    await expectRefusal('DATABASE_URL', one, { DATABASE_URL: quoted });
  }
  for (const one of [['health'], ['listen', '--port', '0']])
    await expectRefusal('DATABASE_URL', one, { DATABASE_URL: quoted });
  await expectRefusal('TO', ['copy', 'from.sqlite', quoted]);
});

describe('a URL with one wrong character', () => {
  const urls = [
    url,
    `postgres://keeper@127.0.0.1:1/plants?sslmode=require&password=${password}`,
    `postgres:///plants?host=127.0.0.1&port=1&user=keeper&password=${password}`,
    `host=127.0.0.1 port=1 user=keeper password=${password} dbname=plants`,
  ];
  const characters = [...` "'\`/:;,.@=?&#%+~\\|\t\n1xX`];

  /** The text with one character lost, doubled, replaced or inserted at the place. */
  const changes = (text: string, at: number): readonly string[] => {
    const [before, character, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)];
    const others = characters.flatMap((other) => [before + other + after, before + other + character + after]);
    return [before + after, before + character + character + after, ...others];
  };

  const changed = urls
    .flatMap((text) => [...text].flatMap((_, at) => changes(text, at)))
    .filter((text) => text.includes(password));

  test('it is a URL of PostgreSQL or refused, and neither its name nor the error has the password', () => {
    const outcomes = { refused: 0, postgres: 0, sqlite: 0 };
    for (const text of changed) {
      const config = read(text);
      outcomes[config instanceof SettingError ? 'refused' : config.database.engine] += 1;
      expect(config instanceof SettingError ? config.message : config.database.name, text).not.toContain(password);
    }
    expect(outcomes).toEqual({ refused: expect.any(Number), postgres: expect.any(Number), sqlite: 0 });
    expect(Math.min(outcomes.refused, outcomes.postgres)).toBeGreaterThan(500);
  });

  const read = (database: string) => {
    try {
      return readConfig({ database }, {}, engine);
    } catch (error) {
      if (error instanceof SettingError) return error;
      throw error;
    }
  };

  test.each([
    url.replace(':h', 'h'),
    url.replace(':h', '%3Ah'),
    url.replace('@', ''),
    url.replace('/plants', ''),
    url.replace(':h', 'h').replace('/plants', ''),
    `postgres://keeper@127.0.0.1:1/plantspassword=${password}`,
    `postgres://keeper@127.0.0.1:1/plants?password${password}`,
  ])('the program does not print the password of %s', async (text) => {
    using folder = temporaryFolder();
    const { exitCode, stdout, stderr } = await runCommand(['token', 'list', '--database', text], { cwd: folder.path });
    expect(exitCode).toBeGreaterThan(0);
    expect(stderr).not.toBe('');
    expect(stdout + stderr).not.toContain(password);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
