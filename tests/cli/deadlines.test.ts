/** Behaviour of `serve` after some seconds. The tests wait concurrently. */
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { unwritable } from '../../src/base/app-error.ts';
import { temporaryFolder } from '../support/folder.ts';
import { createPlant, giveToken, halfSent } from '../support/network/served.ts';
import { expectPace, idleMs } from '../support/pace.ts';
import { runCommand } from '../support/programs/command.ts';
import { startServer } from '../support/programs/process.ts';
import { behaviourEngines } from '../support/store/engines.ts';
import { until } from '../support/until.ts';

test.concurrent('a token is refused after its expiry time', async () => {
  using folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  await using server = await startServer(database);
  const begunAtMs = Date.now();
  const { stdout } = await runCommand(['token', 'create', '--name', 'a', '--expires', '4s', '--database', database]);
  const madeAtMs = Date.now();
  await until(async () => {
    const sentAtMs = Date.now();
    const { status } = await createPlant(server.url, stdout.trim(), '{"id":1,"name":"n"}');
    if (sentAtMs > madeAtMs + 4000) expect(status).toBe(401);
    if (Date.now() < begunAtMs + 4000) expect(status).toBe(200);
    return status === 401;
  });
});

test.concurrent('the log has the cause of a 503, with the id of its request', async () => {
  using folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  const token = await giveToken(database);
  await using server = await startServer(database);
  using other = new Database(database);
  // The sender of the service writes its first lease at the start.
  other.run('PRAGMA busy_timeout = 5000');
  other.run('BEGIN IMMEDIATE');
  expect((await createPlant(server.url, token, '{"id":1,"name":"n"}')).status).toBe(503);
  const { requestId } = await server.logged('request');
  // The sender cannot write either.
  const cause = server.log.find((line) => line['msg'] === unwritable.message && line['requestId'] === requestId);
  expect(JSON.stringify(cause?.['err'])).toContain('SQLITE_BUSY');
});

test.concurrent('a signal waits no longer than its limit for a request that never ends', async () => {
  using folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  const token = await giveToken(database);
  await using server = await startServer(database);
  using _request = await halfSent(server.port, token);
  server.kill();
  expectPace('the stop', await idleMs(server.exited), 12_000);
  expect(await server.exited).toBe(0);
});

for (const { name, createDatabase } of behaviourEngines)
  test.concurrent(`a restart with health checks logs no warning and no error, on ${name}`, async () => {
    await using database = await createDatabase();
    await using server = await startServer(database.url, { env: { SHUTDOWN_DELAY: '4s' } });
    const readiness = (): Promise<number> =>
      fetch(`${server.url}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    expect(await readiness()).toBe(200);
    server.kill();
    await server.logged('stopping');
    const during = await readiness();
    await until(async () => (await readiness()) === 0);
    expect({ during, exitCode: await server.exited }).toEqual({ during: 503, exitCode: 0 });
    expect(server.log.filter(({ level }) => level !== 'info')).toEqual([]);
  });
