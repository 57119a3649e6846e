/** Copies of a whole database from one engine to the other, by the command line. */
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, linkSync, symlinkSync } from 'node:fs';
import { SQL } from 'bun';
import { temporaryFolder } from '../support/folder.ts';
import { giveToken } from '../support/network/served.ts';
import { freshDatabase } from '../support/postgres/postgres-database.ts';
import { runCommand } from '../support/programs/command.ts';
import { startServer, underTest } from '../support/programs/process.ts';
import { until } from '../support/until.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';

const copy = (from: string, to: string) => runCommand(['copy', from, to]);

const expectCopied = async (from: string, to: string): Promise<string> => {
  const { exitCode, stdout, stderr } = await copy(from, to);
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0, stdout: '' });
  return stderr;
};

const importPlants = async (database: string, folder: { file(name: string): string }, ids: readonly number[]) => {
  await Bun.write(folder.file('plants.ndjson'), ids.map((id) => `{"id":${id},"name":"n${id}"}\n`).join(''));
  const { exitCode } = await runCommand(['import', folder.file('plants.ndjson'), '--database', database]);
  expect(exitCode).toBe(0);
};

/** Sends a request with this token. */
const client = (url: string, token: string) => async (method: string, path: string, body?: string) => {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(url + path, { method, headers, ...(body && { body }) });
  return { status: response.status, etag: response.headers.get('etag'), text: await response.text() };
};

const eventIdsIn = (text: string): string[] => [...text.matchAll(/"eventId":"([^"]+)"/g)].map(([, id = '']) => id);

/** A path of SQLite and a URL of PostgreSQL. */
const createDatabases = async () => {
  const folder = temporaryFolder();
  const database = await freshDatabase();
  return {
    ...folder,
    sqlite: folder.file('a.sqlite'),
    postgres: database.url,
    [Symbol.asyncDispose]: async () => {
      folder[Symbol.dispose]();
      await database[Symbol.asyncDispose]();
    },
  };
};

test('a move can be rehearsed while the service runs: a backup is copied, and served without webhooks', async () => {
  await using work = await createDatabases();
  using receiver = createReceiver();
  const token = await giveToken(work.sqlite);
  const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
  await using server = await startServer(work.sqlite, { env });
  const send = client(server.url, token);
  expect((await send('POST', '/webhooks', JSON.stringify({ url: receiver.url }))).status).toBe(201);
  expect((await send('POST', '/plants', '{"id":1,"name":"n"}')).status).toBe(200);
  await receiver.got(1);

  const backup = work.file('rehearsal.sqlite');
  expect((await runCommand(['backup', backup, '--database', work.sqlite])).exitCode).toBe(0);
  await expectCopied(backup, work.postgres);
  await using rehearsal = await startServer(work.postgres, { env, args: ['--no-webhooks'] });
  const sendThere = client(rehearsal.url, token);
  expect(await sendThere('GET', '/plants/1')).toEqual(await send('GET', '/plants/1'));
  expect((await sendThere('POST', '/plants', '{"id":2,"name":"rehearsed"}')).status).toBe(200);
  expect((await send('POST', '/plants', '{"id":3,"name":"n"}')).status).toBe(200);
  const sent = await receiver.got(2);
  expect(sent.map(({ body }) => JSON.parse(body).id)).toEqual([1, 3]);
});

test('on copies to PostgreSQL and back, tokens work, ETags are the same, and cursors continue in a log that was pruned', async () => {
  await using work = await createDatabases();
  const token = await giveToken(work.sqlite);
  const revoked = await giveToken(work.sqlite);
  await importPlants(work.sqlite, work, [1, 2, 3, 4, 5]);
  const listed = await runCommand(['token', 'list', '--database', work.sqlite]);
  const [revokedId = ''] = listed.stdout.split('\n')[1]?.split('\t') ?? [];
  await runCommand(['token', 'revoke', revokedId, '--database', work.sqlite]);

  const look = async (database: string) => {
    await using server = await startServer(database, { args: ['--no-webhooks'] });
    const send = client(server.url, token);
    const events = await send('GET', '/events');
    const ids = eventIdsIn(events.text);
    return {
      ids,
      events,
      plants: await send('GET', '/plants'),
      plant: await send('GET', '/plants/3'),
      revoked: await client(server.url, revoked)('GET', '/plants'),
      after: await send('GET', `/events?after=${ids[1]}`),
      expired: await send('GET', `/events?after=${first}`),
    };
  };
  let first = '';
  first = (await look(work.sqlite)).ids[0] ?? '';
  {
    using file = new Database(work.sqlite);
    file.run('DELETE FROM events WHERE sequence <= 2');
  }
  const before = await look(work.sqlite);
  expect(before.ids).toHaveLength(3);
  expect(before.revoked.status).toBe(401);
  expect(before.expired.status).toBe(410);

  expect(await expectCopied(work.sqlite, work.postgres)).toBe('Rows copied: plants 5, events 3, tokens 2.\n');
  expect(await look(work.postgres)).toEqual(before);
  await importPlants(work.postgres, work, [6]);
  const last = (await look(work.postgres)).ids.at(-1);
  expect(last).toStartWith('evt_6_');

  await expectCopied(work.postgres, work.file('b.sqlite'));
  expect(await look(work.file('b.sqlite'))).toEqual(await look(work.postgres));
  await importPlants(work.file('b.sqlite'), work, [7]);
  expect((await look(work.file('b.sqlite'))).ids.at(-1)).toStartWith('evt_7_');
});

test('after copies, webhooks miss and repeat no message: new events, a test and a redelivery are sent once', async () => {
  await using work = await createDatabases();
  using receiver = createReceiver();
  const token = await giveToken(work.sqlite);
  const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
  const body = JSON.stringify({ url: receiver.url });
  let webhook = '';
  {
    await using server = await startServer(work.sqlite, { env });
    const send = client(server.url, token);
    webhook = JSON.parse((await send('POST', '/webhooks', body)).text).id;
    await send('POST', '/plants', '{"id":1,"name":"n"}');
    await receiver.got(1);
    server.kill();
    await server.exited;
  }
  {
    await using server = await startServer(work.sqlite, { env, args: ['--no-webhooks'] });
    const send = client(server.url, token);
    await send('POST', '/plants', '{"id":2,"name":"n"}');
    const [delivered] = receiver.received;
    const again = `/webhooks/${webhook}/deliveries/${delivered?.headers['webhook-id']}/redeliver`;
    expect((await send('POST', again)).status).toBeLessThan(300);
    expect((await send('POST', `/webhooks/${webhook}/test`)).status).toBeLessThan(300);
    server.kill();
    await server.exited;
  }
  await expectCopied(work.sqlite, work.postgres);
  const sendOneMore = async (database: string, id: number, count: number): Promise<void> => {
    await using server = await startServer(database, { env });
    await client(server.url, token)('POST', '/plants', `{"id":${id},"name":"n"}`);
    await receiver.got(count);
    server.kill();
    await server.exited;
  };
  await sendOneMore(work.postgres, 3, 5);
  await expectCopied(work.postgres, work.file('b.sqlite'));
  await sendOneMore(work.file('b.sqlite'), 4, 6);

  const ids = receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');
  const places = ids.map((id) => id.split('_')[1]);
  expect(places.sort()).toEqual(['1', '1', '2', '2t1', '3', '4']);
});

describe('a database that is served', () => {
  const databases = [['SQLite'], ['PostgreSQL']] as const;

  test.each(databases)('%s is not copied, neither from nor to, and is free once serve was killed', async (engine) => {
    await using work = await createDatabases();
    const database = engine === 'SQLite' ? work.sqlite : work.postgres;
    await runCommand(['migrate', '--database', work.file('other.sqlite')]);
    const token = await giveToken(database);
    await using server = await startServer(database, { args: ['--no-webhooks'] });
    for (const [place, from, to] of [
      ['FROM', database, work.file('copy.sqlite')],
      ['TO', work.file('other.sqlite'), database],
    ] as const) {
      const { exitCode, stderr } = await copy(from, to);
      expect(stderr).toMatch(new RegExp(`^plant-store: ${place}: Database .* is in use\\.`));
      expect(exitCode).toBe(1);
    }
    expect(existsSync(work.file('copy.sqlite'))).toBe(false);
    expect((await client(server.url, token)('POST', '/plants', '{"id":1,"name":"n"}')).status).toBe(200);
    server.kill('SIGKILL');
    await server.exited;
    expect(await expectCopied(database, work.file('copy.sqlite'))).toBe('Rows copied: plants 1, events 1, tokens 1.\n');
  });
});

test('a service that has lost its connections to PostgreSQL reconnects without a request', async () => {
  await using work = await createDatabases();
  await using _server = await startServer(work.postgres, { args: ['--no-webhooks'] });
  await using sql = new SQL(work.postgres, { max: 1 });
  const readOthers = (): Promise<{ pid: number; query: string }[]> =>
    sql`SELECT pid, query FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle'`;
  // The first pruning has ended. The next one begins after a minute.
  await until(async () => (await readOthers()).some(({ query }) => query === 'COMMIT'));
  const lost = (await readOthers()).map(({ pid }) => pid);
  for (const pid of lost) await sql`SELECT pg_terminate_backend(${pid})`;
  // A session gets its lock a moment after it is connected.
  const readHolders = (): Promise<{ pid: number }[]> =>
    sql`SELECT pid FROM pg_locks JOIN pg_database ON database = pg_database.oid
      WHERE datname = current_database() AND locktype = 'advisory' AND granted`;
  await until(async () => (await readHolders()).some(({ pid }) => !lost.includes(pid)));
  expect((await copy(work.postgres, work.file('b.sqlite'))).stderr).toContain('The database is in use.');
});

describe('a copy that does not finish', () => {
  /** Starts a copy from SQLite to PostgreSQL that waits before its last row, until `go`. */
  const startStuckCopy = async (work: Awaited<ReturnType<typeof createDatabases>>) => {
    await giveToken(work.sqlite);
    await importPlants(work.sqlite, work, [1, 2, 3]);
    await runCommand(['migrate', '--database', work.postgres]);
    const sql = new SQL(work.postgres, { max: 1 });
    const watching = new SQL(work.postgres, { max: 1 });
    await sql.unsafe('BEGIN; LOCK TABLE tokens IN SHARE MODE');
    const child = Bun.spawn([...underTest, 'copy', work.sqlite, work.postgres], { stdout: 'pipe', stderr: 'pipe' });
    await until(async () => {
      const [row] = await watching`SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return row.waiting > 0;
    });
    return {
      child,
      rows: async () =>
        (
          await watching`SELECT (SELECT count(*) FROM plants)::int + (SELECT count(*) FROM events)::int
        + (SELECT count(*) FROM tokens)::int AS rows`
        )[0].rows,
      go: async () => {
        await sql.unsafe('ROLLBACK');
        await sql.close();
      },
      [Symbol.asyncDispose]: async () => {
        child.kill('SIGKILL');
        await child.exited;
        await sql.close();
        await watching.close();
      },
    };
  };

  test('a copy that is killed leaves the target empty, and the next one succeeds', async () => {
    await using work = await createDatabases();
    await using stuck = await startStuckCopy(work);
    stuck.child.kill('SIGKILL');
    await stuck.child.exited;
    await stuck.go();
    expect(await stuck.rows()).toBe(0);
    expect(await expectCopied(work.sqlite, work.postgres)).toBe('Rows copied: plants 3, events 3, tokens 1.\n');
  });

  test('a copy that is interrupted says so, and leaves the target empty', async () => {
    await using work = await createDatabases();
    await using stuck = await startStuckCopy(work);
    stuck.child.kill('SIGINT');
    await stuck.go();
    expect(await stuck.child.exited).toBe(1);
    expect(await stuck.child.stderr.text()).toBe('plant-store: Interrupted; nothing was changed.\n');
    expect(await stuck.rows()).toBe(0);
  });

  test('while a copy runs, serve starts neither on the source nor on the target', async () => {
    await using work = await createDatabases();
    await using stuck = await startStuckCopy(work);
    stuck.child.kill('SIGSTOP');
    const reasons = await Promise.all(
      [work.sqlite, work.postgres].map(
        async (database) => (await runCommand(['serve', '--port', '0', '--database', database])).stderr,
      ),
    );
    expect(reasons[0]).toContain('is locked by another program');
    expect(reasons[1]).toContain('is being copied');
  });
});

describe('a copy that is refused', () => {
  test('a file is not copied into itself, by any of its names', async () => {
    await using work = await createDatabases();
    await giveToken(work.sqlite);
    symlinkSync(work.sqlite, work.file('link'));
    linkSync(work.sqlite, work.file('hard'));
    for (const name of [
      work.sqlite,
      `file:${work.sqlite}`,
      work.file('link'),
      work.file('hard'),
      `${work.sqlite}-wal`,
    ]) {
      const { exitCode, stderr } = await copy(work.sqlite, name);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: 'plant-store: FROM and TO are the same database.\n',
      });
    }
  });

  test('a database of PostgreSQL is not copied into itself by another URL, but to another schema of it', async () => {
    await using work = await createDatabases();
    await giveToken(work.postgres);
    const other = new URL(work.postgres);
    other.searchParams.set('application_name', 'another');
    other.hostname = other.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
    const { exitCode, stderr } = await copy(work.postgres, other.href);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^plant-store: TO: Database .+: The database is being copied/);
    await using sql = new SQL(work.postgres, { max: 1 });
    await sql.unsafe('DROP SCHEMA IF EXISTS "Other" CASCADE; CREATE SCHEMA "Other"');
    expect(await expectCopied(work.postgres, `${work.postgres}?options=-csearch_path%3D%22Other%22`)).toBe(
      'Rows copied: tokens 1.\n',
    );
    await sql.unsafe('DROP SCHEMA "Other" CASCADE');
  });

  test('the error for a missing source names it, and no target is created', async () => {
    await using work = await createDatabases();
    const { exitCode, stderr } = await copy(work.sqlite, work.file('b.sqlite'));
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `plant-store: FROM: No database at ${work.sqlite}; run serve or migrate first.\n`,
    });
    expect(existsSync(work.file('b.sqlite'))).toBe(false);
  });

  test('a target that is not empty is refused and not changed', async () => {
    await using work = await createDatabases();
    await giveToken(work.sqlite);
    await importPlants(work.postgres, work, [1]);
    const { exitCode, stderr } = await copy(work.sqlite, work.postgres);
    expect(exitCode).toBe(1);
    expect(stderr).toBe('plant-store: The database to copy to is not empty. It was not changed.\n');
    expect(await expectCopied(work.postgres, work.file('b.sqlite'))).toBe('Rows copied: plants 1, events 1.\n');
  });

  test('no output has the password of a URL, whether it can be used or not', async () => {
    await using work = await createDatabases();
    await giveToken(work.sqlite);
    const url = new URL(work.postgres);
    url.password = 'hunter2';
    const urls = [
      url.href,
      url.href.replace('postgres:', 'postgre:'),
      `${url.href}?sslmode=hunter2`,
      url.href.replace(`:${url.port}`, ':1'),
      url.href.replace(/\/[^/]*$/, '/no_such_database'),
    ];
    const outcomes = await Promise.all(
      urls.flatMap((other) => [copy(other, other), copy(other, work.file('b.sqlite')), copy(work.sqlite, other)]),
    );
    expect(outcomes.filter(({ exitCode }) => exitCode === 2)).toHaveLength(6);
    for (const { stdout, stderr } of outcomes) expect(stdout + stderr).not.toContain('hunter2');
  });
});

describe('a PostgreSQL schema with more than the store', () => {
  test('a copy names the tables of other programs, which it does not copy', async () => {
    await using work = await createDatabases();
    await giveToken(work.postgres);
    await using sql = new SQL(work.postgres, { max: 1 });
    await using _ = { [Symbol.asyncDispose]: () => sql.unsafe('DROP TABLE IF EXISTS diary, "Other notes"') };
    await sql.unsafe('CREATE TABLE diary (id int); INSERT INTO diary VALUES (1); CREATE TABLE "Other notes" (id int)');
    expect(await expectCopied(work.postgres, work.sqlite)).toBe(
      'Rows copied: tokens 1.\nNot copied, since they are not tables of this program: Other notes, diary.\n',
    );
  });

  test('a source with an additional column in a table of the store is refused, and the target stays empty', async () => {
    await using work = await createDatabases();
    await importPlants(work.postgres, work, [1]);
    await using sql = new SQL(work.postgres, { max: 1 });
    await using _ = { [Symbol.asyncDispose]: () => sql.unsafe('ALTER TABLE plants DROP COLUMN IF EXISTS note') };
    await sql.unsafe("ALTER TABLE plants ADD COLUMN note text DEFAULT 'precious'");
    expect(await copy(work.postgres, work.sqlite)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'plant-store: The source has columns that this program does not know: plants.note. Nothing was copied.\n',
    });
    await sql.unsafe('ALTER TABLE plants DROP COLUMN note');
    expect(await expectCopied(work.postgres, work.sqlite)).toBe('Rows copied: plants 1, events 1.\n');
  });
});
