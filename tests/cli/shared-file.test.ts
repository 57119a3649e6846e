/** Several processes serve one SQLite file, as docs/operations.md says. */
import { expect, test } from 'bun:test';
import { temporaryFolder } from '../support/folder.ts';
import { createPlant, giveToken } from '../support/network/served.ts';
import { runCommand } from '../support/programs/command.ts';
import { startServer } from '../support/programs/process.ts';
import { readUntil } from '../support/until.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';

const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };

test('two processes on one SQLite file show the same plants, events and tokens, and one of them sends each webhook', async () => {
  using folder = temporaryFolder();
  using receiver = createReceiver();
  const database = folder.file('p.sqlite');
  const token = await giveToken(database);
  const headers = { authorization: `Bearer ${token}` };
  await using first = await startServer(database, { env });
  await using second = await startServer(database, { env });
  await fetch(`${first.url}/webhooks`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiver.url }),
  });
  const stream = await fetch(`${second.url}/events`, { headers: { ...headers, accept: 'text/event-stream' } });
  const reader = stream.body?.getReader();

  for (const [id, server, other] of [
    [1, first, second],
    [2, second, first],
  ] as const) {
    expect((await createPlant(server.url, token, `{"id":${id},"name":"n"}`)).status).toBe(200);
    expect((await fetch(`${other.url}/plants/${id}`, { headers })).status).toBe(200);
  }
  expect(reader && (await readUntil(reader, '"id":2'))).toContain('"id":1');
  await reader?.cancel();
  const sent = await receiver.got(2);
  expect(sent.map(({ body }) => JSON.parse(body).id).sort()).toEqual([1, 2]);

  // The lease of a process that has stopped is free at once.
  first.kill();
  expect(await first.exited).toBe(0);
  expect((await createPlant(second.url, token, '{"id":3,"name":"n"}')).status).toBe(200);
  expect((await receiver.got(3)).at(-1)?.body).toContain('"id":3');

  const [id = ''] = (await runCommand(['token', 'list', '--database', database])).stdout.split('\t');
  await runCommand(['token', 'revoke', id, '--database', database]);
  expect((await fetch(`${second.url}/token`, { headers })).status).toBe(401);
});
