/** Behaviour of `serve` after some seconds. The tests wait concurrently. */
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { unwritable } from '../../src/domain/error.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runProgram, startServer } from '../support/process.ts';
import { createPlant, giveToken, halfSent } from '../support/served.ts';

test.concurrent('a token is refused after its expiry time', async () => {
  using folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  await using server = await startServer(database);
  const { stdout } = await runProgram(['token', 'create', '--name', 'a', '--expires', '4s', '--database', database]);
  const madeAtMs = Date.now();
  expect((await createPlant(server.url, stdout.trim(), '{"id":1,"name":"n"}')).status).toBe(200);
  await Bun.sleep(madeAtMs + 4001 - Date.now());
  expect((await createPlant(server.url, stdout.trim(), '{"id":1,"name":"n"}')).status).toBe(401);
});

test.concurrent('the log has the cause of a 503, with the id of its request', async () => {
  using folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  const token = await giveToken(database);
  await using server = await startServer(database);
  using other = new Database(database);
  other.run('BEGIN IMMEDIATE');
  expect((await createPlant(server.url, token, '{"id":1,"name":"n"}')).status).toBe(503);
  const cause = await server.logged(unwritable.sentence);
  expect(JSON.stringify(cause['err'])).toContain('SQLITE_BUSY');
  expect(cause['requestId']).toBe((await server.logged('request'))['requestId']);
});

test.concurrent('a signal waits no longer than its limit for a request that never ends', async () => {
  using folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  const token = await giveToken(database);
  await using server = await startServer(database);
  using _request = await halfSent(server.port, token);
  const startedAtMs = performance.now();
  server.kill();
  expect(await server.exited).toBe(0);
  expect(performance.now() - startedAtMs).toBeLessThan(12_000);
});
