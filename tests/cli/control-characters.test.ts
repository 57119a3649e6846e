/** Control characters of clients, files and arguments in what the commands print. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { eventIdOf } from '../../src/events/event.ts';
import { digestToken, generateToken } from '../../src/tokens/token.ts';
import { runCommand } from '../support/programs/command.ts';
import { startTail } from '../support/programs/process.ts';
import { createWorkplace } from '../support/programs/workplace.ts';
import { openTestStore } from '../support/store/engines.ts';

/** Controls of ASCII and Latin-1, marks that reorder or hide text, and line ends. All of them may be in the name of a file. */
const hostile = '\u001b[31m\u009b2j\u0085\u007f\u202e\u2066\u2028\u200f\ufeff';
const escaped = String.raw`\u001b[31m\u009b2j\u0085\u007f\u202e\u2066\u2028\u200f\ufeff`;

/** Without line ends and the tabs between columns. */
const controls = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

let work: ReturnType<typeof createWorkplace>;
let firstEvent = '';
beforeAll(async () => {
  work = createWorkplace();
  const store = await openTestStore(work.database);
  const digest = digestToken(generateToken());
  await store.tokens.create({ name: `${hostile}\t\n\r`, scopes: ['plants:read'], digest });
  await store.webhooks.create({ url: `https://example.com/${hostile}`, events: ['plant.created'], secret: 'whsec_' });
  await store.plants.create({ id: 1n, name: `first${hostile}` });
  await store.plants.create({ id: 2n, name: `n${hostile}\t\n\r`, tag: hostile });
  const [first] = await store.events.list({ limit: 1 });
  if (first) firstEvent = eventIdOf(first);
  await store.close();
  work.write(`${hostile}.ndjson`, 'bad\n');
  work.write(`${hostile}.csv`, `id,name\n1,"a"${hostile}\n`);
  work.write(`${hostile}.sqlite`, 'no database');
  mkdirSync(work.file(`folder${hostile}`));
});
afterAll(() => work[Symbol.dispose]());

describe('no command prints a control character', () => {
  test.each<[string[], number]>([
    [['token', 'list'], 0],
    [['webhook', 'list'], 0],
    [['import', `none${hostile}.csv`], 1],
    [['import', `a.${hostile}`], 2],
    [['import', `folder${hostile}`, '--format', 'csv'], 1],
    [['import', `${hostile}.ndjson`, '--rejects', `rejects${hostile}`], 0],
    [['import', `${hostile}.ndjson`, '--rejects', `${hostile}.csv`], 1],
    [['export', `none${hostile}/a.csv`], 1],
    [['export', `folder${hostile}`], 1],
    [['export', `${hostile}.csv`], 1],
    [['backup', `folder${hostile}`, '--force'], 1],
    [['backup', `${hostile}.sqlite`], 1],
    [['backup', `backup${hostile}.sqlite`], 0],
    [['token', 'list', `--${hostile}`], 2],
    [['token', `a${hostile}`], 2],
    [['webhook', 'add', 'https://example.com', '--event', hostile], 2],
  ])('%j', async (args, code) => {
    const { exitCode, stdout, stderr } = await work.run(...args);
    expect({ exitCode, output: stdout + stderr }).toEqual({
      exitCode: code,
      output: expect.not.stringMatching(controls),
    });
    expect(stdout + stderr).toContain(escaped);
  });

  test.each<[string[], number]>([
    [['copy', `none${hostile}.sqlite`, 'b.sqlite'], 1],
    [['copy', `${hostile}.sqlite`, 'b.sqlite'], 1],
    [['migrate', '--database', `${hostile}.sqlite`], 1],
    [['token', 'list', '--database', `none${hostile}.sqlite`], 1],
    [['serve', '--port', '0', '--database', `${hostile}.sqlite`], 1],
    [[hostile], 2],
  ])('%j', async (args, code) => {
    const { exitCode, stdout, stderr } = await runCommand(args, { cwd: work.path });
    expect({ exitCode, output: stdout + stderr }).toEqual({
      exitCode: code,
      output: expect.not.stringMatching(controls),
    });
    expect(stderr).toContain(escaped);
  });

  test('a CSV file that is not valid', async () => {
    const { exitCode, stderr } = await work.run('import', `${hostile}.csv`);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr:
        'plant-store: The file is not valid CSV from line 2 on: a closing quote is not followed by a comma or a line end.\n',
    });
  });
});

describe('a message that refuses an option shows the control characters of its value', () => {
  test.each([
    [['token', 'create', '--name', 'a\n'], String.raw`'a\u000a'`],
    [['token', 'create', '--name', '\r\n'], String.raw`'\u000d\u000a'`],
    [['token', 'create', '--name', 'a', '--expires', '9d\r\n'], String.raw`'9d\u000d\u000a'`],
    [['token', 'revoke', 'a', 'b\r\n'], String.raw`a, b\u000d\u000a`],
    [['export', '-', '--format=csv\t'], String.raw`'csv\u0009'`],
    [['serve', '--demo', '--delay', '1s\r\n'], String.raw`'1s\u000d\u000a'`],
    [['serve', '--port', '3000\r'], String.raw`contains \u000d, as after a line of a Windows file`],
    [['health', '--host', 'localhost\t'], String.raw`contains \u0009`],
    [['listen', '--secret', `whsec_${'A'.repeat(32)}\n`], String.raw`contains \u000a`],
    [['webhook', 'add', 'https://example.com/\r'], String.raw`contains \u000d`],
  ])('%j', async (args, shown) => {
    const { exitCode, stderr } = await runCommand(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(shown) });
    expect(stderr).not.toMatch(/[^\P{Cc}\n]/u);
    expect(stderr).not.toContain('AAAA');
  });
});

test('the columns of token list are separated by tabs only, and its lines by line ends only', async () => {
  const { stdout } = await work.run('token', 'list');
  const [, name] = stdout.split('\t');
  expect(name).toBe(String.raw`${escaped}\u0009\u000a\u000d`);
  expect(stdout.split('\n')).toHaveLength(2);
});

test('tail prints JSON with the same value', async () => {
  await using tail = startTail(['--database', work.database, '--after', firstEvent]);
  const [line = ''] = await tail.lines(1);
  expect(line).not.toMatch(controls);
  expect(line).toContain(escaped);
  expect(JSON.parse(line)).toMatchObject({ name: `n${hostile}\t\n\r`, tag: hostile });
});
