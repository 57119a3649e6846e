import { describe, expect, test } from 'bun:test';
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import sqliteMigrations from '../../db/migrations.json' with { type: 'json' };
import { version } from '../../package.json';
import { createContext } from '../../src/cli/context.ts';
import { run } from '../../src/cli/program.ts';
import { usageErrorOf } from '../../src/cli/usage-error.ts';
import { scopes } from '../../src/tokens/token.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/programs/command.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { underTest } from '../support/programs/process.ts';
import { hasPostgres } from '../support/store/has-postgres.ts';

describe('a message that repeats an argument', () => {
  const password = 'hunter2';
  const url = `postgres//keeper:${password}@127.0.0.1/plants`;

  test.each([
    [[url], `unknown command '${url}'`, "unknown command '…'"],
    [[`--databse=${url}`], `unknown option '--databse=${url}'`, "unknown option '--databse=…'"],
    [
      [`--format=${url}`],
      `option '--format' argument '${url}' is invalid`,
      "option '--format' argument '…' is invalid",
    ],
    [[`--secrt=${password}`], `unknown option '--secrt=${password}'`, "unknown option '--secrt=…'"],
    [['--hunter=hunter'], "unknown option '--hunter=hunter'", "unknown option '--hunter=…'"],
    [['--secrt='], "unknown option '--secrt='", "unknown option '--secrt=…'"],
    [[url, `${url}2`], `unknown command '${url}2'`, "unknown command '…'"],
    [['whsec_c2VjcmV0/+=='], "unknown command 'whsec_c2VjcmV0/+=='", "unknown command '…'"],
    [['whsec_c2VjcmV0'], "unknown command 'whsec_c2VjcmV0'", "unknown command 'whsec_…'"],
    [[], `No token plant_${'0'.repeat(36)}.`, 'No token plant_….'],
    [['./plants-10:30.csv'], 'File ./plants-10:30.csv exists.', 'File ./plants-10:30.csv exists.'],
    [['', ':'], 'An empty argument.', 'An empty argument.'],
  ])('with %j, it is shown without the password', (args, message, shown) => {
    expect(usageErrorOf(`error: ${message}`, args)).toBe(`plant-store: ${shown}`);
  });
});

describe('a wrong command line', () => {
  test.each<[string[], RegExp]>([
    [[], /Usage: plant-store/],
    [['grow'], /unknown command 'grow'/],
    [['toString'], /unknown command 'toString'/],
    [['serve', '--colour'], /unknown option '--colour'/],
    [['serve', 'now'], /too many arguments/],
    [['serve', '--port', 'x'], /--port must be 0–65535\./],
    [
      ['serve', '--database', 'postgres://x'],
      hasPostgres ? /--database must be a valid PostgreSQL URL/ : /--database must be the path of a SQLite file: /,
    ],
    [['serve', '--demo', '--database', 'p.sqlite'], /'--demo' cannot be used with option '--database/],
    [['serve', '--demo-anywhere', '--database', 'p.sqlite'], /cannot be used with option '--database/],
    [['serve', '--delay', '200ms'], /--delay requires --demo\./],
    [['serve', '--demo', '--delay', '200'], /It must be a number and ms or s, such as 200ms/],
    [['serve', '--demo', '--delay', '-1s'], /It must be a number and ms or s/],
    [['serve', '--demo', '--delay', '1m'], /It must be a number and ms or s/],
    [['serve', '--demo', '--delay', '10001ms'], /at most 10s/],
    [['serve', '--demo', '--delay', '11s'], /at most 10s/],
    [['token'], /Usage: plant-store token/],
    [['token', 'create'], /required option '--name/],
    [['token', 'create', '--name', ''], /1 to 100 characters/],
    [['token', 'create', '--name', 'a\tb'], /without control characters/],
    [['token', 'create', '--name', 'x'.repeat(101)], /1 to 100 characters/],
    [['token', 'create', '--name', 'a', '--scope', 'plants:eat'], /comma-separated list of plants:read/],
    [['token', 'create', '--name', 'a', '--scope', ''], /comma-separated list of plants:read/],
    [['token', 'create', '--name', 'a', '--expires', '0d'], /such as 90d/],
    [['token', 'create', '--name', 'a', '--expires', '90'], /such as 90d/],
    [['token', 'create', '--name', 'a', '--expires', '36501d'], /at most 36500d/],
    [['webhook'], /Usage: plant-store webhook/],
    [['webhook', 'add'], /missing required argument 'url'/],
    [['webhook', 'add', 'x'], /must be an absolute URL/],
    [['webhook', 'add', 'http://example.com'], /must be an https URL/],
    [['webhook', 'add', 'https://127.0.0.1'], /must have a public host/],
    [['webhook', 'add', `https://example.com/${'x'.repeat(2048)}`], /at most 2048 characters/],
    [['webhook', 'add', 'https://example.com', '--event', 'plant.watered'], /list of plant.created/],
    [['webhook', 'add', 'https://example.com', '--description', 'x'.repeat(501)], /at most 500/],
    [['webhook', 'remove'], /missing required argument 'id'/],
    [['webhook', 'rotate'], /missing required argument 'id'/],
    [['openapi', '--format', 'xml'], /Allowed choices are json, yaml/],
    [['listen', '--secret', 'whsec_x'], /24 to 64 bytes/],
    [['listen', '--port', 'x'], /--port must be 0–65535\./],
    [['token', 'revoke'], /missing required argument 'id'/],
  ])('the wrong command line %j is refused with exit code 2, and the reason on stderr', async (args, reason) => {
    using folder = temporaryFolder();
    const { exitCode, stdout, stderr } = await runCommand(args, { cwd: folder.path });
    expect(stderr).toMatch(reason);
    expect(stderr).not.toContain('    at ');
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
    expect(existsSync(folder.file('data'))).toBe(false);
  });
});

test('version and help go to stdout', async () => {
  for (const args of [['version'], ['--version'], ['-V']])
    expect(await runCommand(args)).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  const help = await runCommand(['--help']);
  expect(help.exitCode).toBe(0);
  for (const command of ['serve', 'migrate', 'token', 'webhook', 'listen', 'version'])
    expect(help.stdout).toContain(`  ${command}`);
});

test('migrate creates the database and prints the migrations, and prints none the second time', async () => {
  using folder = temporaryFolder();
  const env = { DATABASE_URL: `file:${folder.file('p.sqlite')}` };
  expect(await runCommand(['migrate'], { env })).toMatchObject({
    exitCode: 0,
    stdout: `${sqliteMigrations.map(({ name }) => name).join('\n')}\n`,
  });
  expect(await runCommand(['migrate'], { env })).toMatchObject({ exitCode: 0, stdout: '' });
});

test('a database of another program is refused in one plain line with exit code 1, and is not changed', async () => {
  using folder = temporaryFolder();
  const path = folder.file('p.sqlite');
  await Bun.write(path, 'once upon a time');
  for (const args of [['migrate'], ['serve', '--port', '0'], ['token', 'list']]) {
    const { exitCode, stdout, stderr } = await runCommand([...args, '--database', path]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^plant-store: Database \S*p\.sqlite is .*not changed\.$/),
    ]);
  }
  expect(readFileSync(path, 'utf8')).toBe('once upon a time');
});

linuxTest('a folder that cannot be written is refused in one plain line with exit code 1', async () => {
  const { exitCode, stderr } = await runCommand(['migrate', '--database', '/proc/none/p.sqlite']);
  expect(exitCode).toBe(1);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

describe('tokens', () => {
  test('a token is printed once, stored as a digest, and listed on a line that begins with its id', async () => {
    using folder = temporaryFolder();
    const database = ['--database', folder.file('p.sqlite')];
    const first = await runCommand(['token', 'create', '--name', 'all of it', ...database]);
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout).toMatch(/^plant_[0-9A-Za-z]{36}\n$/);
    const second = await runCommand([
      'token',
      'create',
      '--name',
      'b',
      '--scope',
      'plants:read,webhooks:read',
      '--expires',
      '90d',
      ...database,
    ]);
    expect(second.exitCode).toBe(0);

    const { stdout } = await runCommand(['token', 'list', ...database]);
    const [a = [], b = []] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(a).toEqual([
      expect.stringMatching(/^tok_\w{10}$/),
      'all of it',
      scopes.join(','),
      expect.stringMatching(/Z$/),
      '-',
      '-',
      '-',
    ]);
    expect(b.slice(1, 3)).toEqual(['b', 'plants:read,webhooks:read']);
    expect(Date.parse(b[4] ?? '') - Date.parse(b[3] ?? '')).toBeWithin(90 * 86_400_000 - 1000, 90 * 86_400_000 + 1000);

    const kept = readFileSync(folder.file('p.sqlite'), 'latin1');
    expect(kept).not.toContain(first.stdout.trim());
    expect(kept).toContain('all of it');
  });

  linuxTest('a token that cannot be printed is revoked', async () => {
    using folder = temporaryFolder();
    const database = ['--database', folder.file('p.sqlite')];
    const create = Bun.spawn(
      ['sh', '-c', '"$0" "$@" >/dev/full', ...underTest, 'token', 'create', '--name', 'a', ...database],
      {
        stderr: 'pipe',
      },
    );
    expect(await create.exited).toBe(1);
    expect(await create.stderr.text()).toBe(
      'plant-store: Cannot write to stdout: no space left on device. The token was revoked.\n',
    );
    expect((await runCommand(['token', 'list', ...database])).stdout.trimEnd().split('\t')[5]).toMatch(/Z$/);
  });

  test('a token is revoked by its id; an unknown id is refused with exit code 1', async () => {
    using folder = temporaryFolder();
    const database = ['--database', folder.file('p.sqlite')];
    await runCommand(['token', 'create', '--name', 'a', ...database]);
    const id = (await runCommand(['token', 'list', ...database])).stdout.split('\t')[0] ?? '';
    expect(await runCommand(['token', 'revoke', id, ...database])).toMatchObject({ exitCode: 0, stdout: '' });
    const line = (await runCommand(['token', 'list', ...database])).stdout.trimEnd().split('\t');
    expect(line[5]).toMatch(/Z$/);
    expect(await runCommand(['token', 'revoke', 'tok_none', ...database])).toMatchObject({ exitCode: 1, stdout: '' });
  });
});

test.skipIf(!hasPostgres)('two command lines in one process have their own environment and output', async () => {
  using folder = temporaryFolder();
  const migrate = async (name: string, database: string) => {
    const paths = [folder.file(`${name}.out`), folder.file(`${name}.err`)] as const;
    const [stdout, stderr] = [openSync(paths[0], 'w'), openSync(paths[1], 'w')];
    const exitCode = await run(['migrate'], createContext({ stdout, stderr, env: { DATABASE_URL: database } }));
    for (const descriptor of [stdout, stderr]) closeSync(descriptor);
    return [exitCode, ...paths.map((path) => readFileSync(path, 'utf8'))];
  };
  const outcomes = await Promise.all([migrate('one', folder.file('p.sqlite')), migrate('other', 'postgres://x')]);
  expect(outcomes).toEqual([
    [0, `${sqliteMigrations.map(({ name }) => name).join('\n')}\n`, 'The database is up to date.\n'],
    [2, '', expect.stringContaining('DATABASE_URL must be a valid PostgreSQL URL')],
  ]);
});

test('by default the database is in data/ of the folder where the program runs', async () => {
  using folder = temporaryFolder();
  await runCommand(['migrate'], { cwd: folder.path });
  expect(statSync(folder.file('data/plants.sqlite')).isFile()).toBe(true);
});
