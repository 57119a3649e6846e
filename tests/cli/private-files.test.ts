/** The files that the commands write: under unguessable names, readable only by their owner, and never over the database. */
import { Database } from 'bun:sqlite';
import { beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/programs/command.ts';
import { linuxTestWithoutNode } from '../support/programs/linux-without-node.ts';
import { inDevelopment, startServer, underTest } from '../support/programs/process.ts';
import { createWorkplace } from '../support/programs/workplace.ts';
import { openTestStore } from '../support/store/engines.ts';
import { until } from '../support/until.ts';

/** A workplace whose database has so many plants. */
const createFilledWorkplace = async (plants = 3) => {
  const work = createWorkplace();
  const store = await openTestStore(work.database);
  await store.plants.putAll((put) =>
    put(
      Array.from({ length: plants }, (_, id) => ({ id: BigInt(id), name: 'n' })),
      'leave',
    ),
  );
  await store.close();
  return work;
};

const lines = (path: string): number => readFileSync(path, 'utf8').split('\n').length - 1;

describe('the temporary name of earlier versions, which had the pid in it', () => {
  const remains = 'yes deleted | head -n 1000 > out.$$.new; exec "$@"';

  test('an export does not use a file with the temporary name of earlier versions', async () => {
    using work = await createFilledWorkplace();
    const { exitCode } = await work.runInShell(remains, 'export', 'out', '--database', work.database);
    expect(exitCode).toBe(0);
    expect(lines(work.file('out'))).toBe(3);
  });

  test.each([
    ['export', ['export', 'out']],
    ['backup', ['backup', 'out']],
  ])('a link at the temporary name of earlier versions is not written through by %s', async (_command, args) => {
    using work = await createFilledWorkplace();
    writeFileSync(work.file('victim'), '');
    const script = 'ln -s victim out.$$.new; exec "$@"';
    expect((await work.runInShell(script, ...args, '--database', work.database)).exitCode).toBe(0);
    expect(readFileSync(work.file('victim'), 'utf8')).toBe('');
  });

  test('a new database does not use a file with the temporary name of earlier versions', async () => {
    using work = await createFilledWorkplace();
    const script = 'cp p.sqlite fresh.sqlite.$$.new; exec "$@"';
    expect((await work.runInShell(script, 'migrate', '--database', 'fresh.sqlite')).exitCode).toBe(0);
    const { stdout } = await runCommand(['export', '-', '--database', work.file('fresh.sqlite')]);
    expect(stdout).toBe('');
  });
});

describe('the files of the database', () => {
  const own = ['p.sqlite', 'p.sqlite-wal', 'p.sqlite-shm', 'p.sqlite-journal'];

  const commands: [string, (target: string) => string[]][] = [
    ['export', (target) => ['export', target]],
    ['backup', (target) => ['backup', '--force', target]],
    ['import from', (target) => ['import', target]],
    ['import --rejects', (target) => ['import', 'a.ndjson', '--rejects', target]],
  ];

  test.each(commands)('%s changes no file of the database, by any of its names', async (_command, argsFor) => {
    using work = await createFilledWorkplace();
    mkdirSync(work.file('elsewhere'));
    symlinkSync('../p.sqlite', work.file('elsewhere/d.sqlite'));
    symlinkSync('.', work.file('folder'));
    linkSync(work.database, work.file('hard'));
    writeFileSync(work.file('a.ndjson'), 'bad\n');
    const before = readFileSync(work.database);
    const targets = [...own, 'folder/p.sqlite-journal', 'hard'];
    for (const database of [work.database, 'elsewhere/d.sqlite']) {
      for (const target of targets) {
        const args = [...argsFor(target), '--database', database];
        const { exitCode, stderr } = await runCommand(args, { cwd: work.path });
        expect(stderr).toContain('is the database or its log');
        expect(exitCode).toBe(1);
      }
    }
    expect(readFileSync(work.database)).toEqual(before);
    expect(work.files()).toEqual(['a.ndjson', 'elsewhere', 'folder', 'hard', 'p.sqlite']);
  });

  test.each([
    ['"$@" >> p.sqlite', ['export', '-']],
    ['"$@" >> p.sqlite', ['export', '/dev/stdout']],
    ['"$@" 1<>p.sqlite', ['token', 'list']],
    ['"$@" 2>> p.sqlite', ['import', 'none']],
    ['"$@" >> p.sqlite', ['serve', '--port', '0']],
    ['"$@" >> p.sqlite', ['migrate']],
    ['"$@" < p.sqlite', ['import', '-']],
  ])('in a shell, %s with %j does not touch the database through a standard stream', async (script, args) => {
    using work = await createFilledWorkplace();
    writeFileSync(work.file('none'), '');
    const before = readFileSync(work.database);
    expect((await work.runInShell(script, ...args, '--database', work.database)).exitCode).toBe(1);
    const after = readFileSync(work.database);
    // The program cannot prevent that a shell appends its own message on stderr to a redirection.
    expect(after.subarray(0, before.length)).toEqual(before);
  });

  test('an export to /dev/stdout continues a file, and does not replace it', async () => {
    using work = await createFilledWorkplace();
    writeFileSync(work.file('kept'), 'kept\n');
    await work.runInShell('"$@" >> kept', 'export', '/dev/stdout', '--database', work.database);
    expect(readFileSync(work.file('kept'), 'utf8')).toMatch(/^kept\n(?:\{.*\}\n){3}$/);
  });

  test('a name beside a link to a database is free', async () => {
    using work = await createFilledWorkplace();
    mkdirSync(work.file('elsewhere'));
    symlinkSync('../p.sqlite', work.file('elsewhere/d.sqlite'));
    const args = ['export', 'elsewhere/d.sqlite-wal', '--format', 'ndjson', '--database', 'elsewhere/d.sqlite'];
    expect((await runCommand(args, { cwd: work.path })).exitCode).toBe(0);
    expect(lines(work.file('elsewhere/d.sqlite-wal'))).toBe(3);
  });
});

test('writes that were acknowledged through a link survive an export and a kill', async () => {
  using work = await createFilledWorkplace(0);
  mkdirSync(work.file('elsewhere'));
  symlinkSync('../p.sqlite', work.file('elsewhere/d.sqlite'));
  const link = work.file('elsewhere/d.sqlite');
  const token = (await work.run('token', 'create', '--name', 'a')).stdout.trim();
  {
    await using server = await startServer(link);
    for (let id = 1; id <= 5; id += 1) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = `{"id":${id},"name":"n"}`;
      expect((await fetch(`${server.url}/plants`, { method: 'POST', headers, body })).status).toBe(200);
    }
    expect((await runCommand(['export', work.file('p.sqlite-wal'), '--database', link])).exitCode).toBe(1);
  }
  expect((await work.run('export', '-')).stdout.split('\n')).toHaveLength(6);
});

test('a link to a database that does not exist yet leads to the new one', async () => {
  using folder = temporaryFolder();
  symlinkSync('real.sqlite', folder.file('link.sqlite'));
  await (await openTestStore(folder.file('link.sqlite'))).close();
  expect(readdirSync(folder.path).sort()).toEqual(['link.sqlite', 'real.sqlite']);
});

describe('privacy', () => {
  test('only the owner may read a new database with its log, a backup, an export and rejected rows', async () => {
    using work = await createFilledWorkplace();
    await using _ = await startServer(work.database);
    for (const name of ['p.sqlite', 'p.sqlite-wal', 'p.sqlite-shm']) expect(work.modeOf(name)).toBe(0o600);
    writeFileSync(work.file('a.ndjson'), 'bad\n');
    expect((await work.run('backup', 'copy.sqlite')).exitCode).toBe(0);
    expect((await work.run('export', 'out')).exitCode).toBe(0);
    expect((await work.run('import', 'a.ndjson', '--partial')).exitCode).toBe(0);
    for (const name of ['copy.sqlite', 'out', 'a.ndjson.rejected']) expect(work.modeOf(name)).toBe(0o600);
    chmodSync(work.file('copy.sqlite'), 0o644);
    expect((await work.run('backup', 'copy.sqlite', '--force')).exitCode).toBe(0);
    expect(work.modeOf('copy.sqlite')).toBe(0o600);
  });

  test('a database that others could read becomes private at the next start', async () => {
    using work = await createFilledWorkplace();
    using reader = new Database(work.database);
    reader.query('SELECT * FROM plants').all();
    for (const name of work.files()) chmodSync(work.file(name), 0o644);
    await using _ = await startServer(work.database);
    for (const name of ['p.sqlite', 'p.sqlite-wal', 'p.sqlite-shm']) expect(work.modeOf(name)).toBe(0o600);
  });

  test('only the owner may read the development token, and its file is not a link', async () => {
    using work = await createFilledWorkplace();
    const start = async (): Promise<void> => {
      await using server = await startServer(work.database, inDevelopment);
      await until(() => server.stdout().includes('Read it back'));
    };
    writeFileSync(work.file('victim'), 'untouched');
    symlinkSync('victim', work.file('development.token'));
    await start();
    expect(readFileSync(work.file('victim'), 'utf8')).toBe('untouched');
    const kept = readFileSync(work.file('development.token'), 'utf8');
    expect(kept).toStartWith('plant_');
    chmodSync(work.file('development.token'), 0o644);
    await start();
    expect(work.modeOf('development.token')).toBe(0o600);
    expect(readFileSync(work.file('development.token'), 'utf8')).toBe(kept);
  });
});

describe('a new database', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'a new database leaves no draft when %s arrives during its creation',
    async (signal) => {
      using folder = temporaryFolder();
      const number = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 }[signal];
      // It arrives at each statement, so while the draft exists.
      const program = `
      import { openSqliteStore } from '${Bun.resolveSync('../../src/engines/sqlite.ts', import.meta.dir)}';
      const { Database } = await import('bun:sqlite');
      const run = Database.prototype.run;
      Database.prototype.run = function (...args) {
        process.kill(process.pid, ${number});
        return run.apply(this, args);
      };
      openSqliteStore('${folder.file('p.sqlite')}');
      setTimeout(() => {}, 5000);
    `;
      writeFileSync(folder.file('p.ts'), program);
      const running = Bun.spawn([process.execPath, folder.file('p.ts')], { stderr: 'ignore' });
      expect(await running.exited).toBe(128 + number);
      expect(readdirSync(folder.path).filter((name) => name.includes('.new'))).toEqual([]);
    },
  );
});

describe('an interrupted backup', () => {
  let large: Uint8Array;
  beforeAll(async () => {
    using work = await createFilledWorkplace(50_000);
    large = readFileSync(work.database);
  });

  /** A workplace whose database is so large that its backup can be interrupted. */
  const createLargeWorkplace = () => {
    const work = createWorkplace();
    writeFileSync(work.database, large);
    return work;
  };

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('a backup that %s interrupts leaves no draft', async (signal) => {
    for (let finished = 0; ; finished += 1) {
      using work = createLargeWorkplace();
      const running = Bun.spawn([...underTest, 'backup', 'copy.sqlite', '--database', work.database], {
        cwd: work.path,
        stderr: 'pipe',
      });
      await until(() => work.drafts().length > 0 || running.exitCode !== null);
      running.kill(signal);
      // On a busy machine a backup can finish before the signal.
      if ((await running.exited) === 0 && finished < 10) continue;
      expect(running.exitCode).toBe(1);
      expect(await running.stderr.text()).toContain('Interrupted');
      expect(work.files()).toEqual(['p.sqlite']);
      return;
    }
  });

  linuxTestWithoutNode('a backup that nohup shields from SIGHUP is finished', async () => {
    using work = createLargeWorkplace();
    const command = ['nohup', ...underTest, 'backup', 'copy.sqlite', '--database', work.database];
    const running = Bun.spawn(command, { cwd: work.path, stdout: 'ignore', stderr: 'ignore' });
    await until(() => work.drafts().length > 0 || running.exitCode !== null);
    running.kill('SIGHUP');
    expect(await running.exited).toBe(0);
    expect(work.files()).toContain('copy.sqlite');
  });
});

test('the error of a backup or an export into a missing folder names the folder', async () => {
  using work = await createFilledWorkplace();
  for (const command of ['backup', 'export']) {
    expect(await work.run(command, 'no/such/copy')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/Folder \S*\/no\/such does not exist\.\n$/),
    });
  }
});
