/** Webhooks by the command line, and end to end: a change at a running server, and its message at a receiver. */
import { describe, expect, setSystemTime, test } from 'bun:test';
import { noWebhook } from '../../src/base/app-error.ts';
import { generateSecret, sign } from '../../src/base/signature.ts';
import { jsonOf } from '../support/app/app.ts';
import { temporaryFolder } from '../support/folder.ts';
import { giveToken } from '../support/network/served.ts';
import { runCommand } from '../support/programs/command.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { startListener, startServer, underTest } from '../support/programs/process.ts';
import { openTestStore } from '../support/store/engines.ts';
import { until } from '../support/until.ts';
import { neverLeased } from '../support/webhooks/attempts.ts';
import { createReceiver, taken } from '../support/webhooks/receiver.ts';

const local = { WEBHOOK_ALLOW_PRIVATE: 'true' };

describe('webhook', () => {
  test('webhook add prints the id and the secret, list the rest, rotate a new secret, and remove removes it', async () => {
    using folder = temporaryFolder();
    const env = { DATABASE_URL: folder.file('p.sqlite') };
    const run = (...args: string[]) => runCommand(['webhook', ...args], { env });

    const added = await run('add', 'https://example.com/hook', '--event', 'plant.created', '--event', 'plant.deleted');
    expect(added).toMatchObject({ exitCode: 0, stderr: '' });
    const [id = '', secret = ''] = added.stdout.trim().split('\t');
    expect(added.stdout).toBe(`${id}\t${secret}\n`);
    expect(id).toMatch(/^wh_/);
    expect(secret).toMatch(/^whsec_/);

    const [line = ''] = (await run('list')).stdout.trim().split('\n');
    expect(line.split('\t')).toEqual([
      id,
      'https://example.com/hook',
      'plant.created,plant.deleted',
      expect.stringMatching(/Z$/),
      'enabled',
    ]);

    const rotated = (await run('rotate', id)).stdout.trim();
    expect(rotated).toMatch(/^whsec_/);
    const store = await openTestStore(env.DATABASE_URL);
    expect((await store.webhooks.get(id))?.secrets.map(({ text }) => text)).toEqual([rotated, secret]);
    await store.close();

    expect(await run('remove', id)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await run('list')).toMatchObject({ exitCode: 0, stdout: '' });
    for (const command of ['remove', 'rotate']) {
      const again = await run(command, id);
      expect(again).toMatchObject({ exitCode: 1, stdout: '' });
      expect(again.stderr).toContain(noWebhook.message);
    }
  });

  linuxTest(
    'webhook add leaves no webhook when it cannot print, and rotate reports that the new secret is valid',
    async () => {
      using folder = temporaryFolder();
      const database = ['--database', folder.file('p.sqlite')];
      const toFull = async (...args: string[]): Promise<string> => {
        const child = Bun.spawn(['sh', '-c', '"$0" "$@" >/dev/full', ...underTest, 'webhook', ...args, ...database], {
          stderr: 'pipe',
        });
        expect(await child.exited).toBe(1);
        return child.stderr.text();
      };
      expect(await toFull('add', 'https://example.com')).toBe(
        'plant-store: Cannot write to stdout: no space left on device. The webhook was removed.\n',
      );
      expect((await runCommand(['webhook', 'list', ...database])).stdout).toBe('');
      const [id = ''] = (await runCommand(['webhook', 'add', 'https://example.com', ...database])).stdout.split('\t');
      expect(await toFull('rotate', id)).toBe(
        'plant-store: Cannot write to stdout: no space left on device. The new secret is valid but was not shown: rotate again. The old one also signs for 24 hours.\n',
      );
    },
  );

  test.each([
    ['http://example.com', true],
    ['https://127.0.0.1', true],
    ['http://localhost:4000', true],
    ['ftp://example.com', false],
    ['https://user@example.com', false],
    ['https://example.com:0', false],
    ['http://localhost:0', false],
    ['http://localhost:65536', false],
  ])('webhook add %s names the setting that permits it, if there is one: %j', async (url, isPermitted) => {
    const refused = await runCommand(['webhook', 'add', url]);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr.includes('WEBHOOK_ALLOW_PRIVATE=true')).toBe(isPermitted);
    using folder = temporaryFolder();
    const added = await runCommand(['webhook', 'add', url, '--database', folder.file('p.sqlite')], { env: local });
    expect(added.exitCode).toBe(isPermitted ? 0 : 2);
  });

  test('webhook list prints when and why a webhook was disabled', async () => {
    using folder = temporaryFolder();
    const store = await openTestStore(folder.file('p.sqlite'));
    const { id } = await store.webhooks.create({ url: 'https://example.com', events: ['plant.created'], secret: 's' });
    const before = await store.deliveries.createTestMessage(id);
    const { nextAttemptAt: _, requestedAt: __, ...settled } = before;
    const after = {
      ...settled,
      attempts: [{ at: '2999-01-01T00:00:00.000Z', durationMs: 1, status: 410 }],
      attemptsInRound: 1,
    };
    await store.deliveries.record([{ before, after }], new Map(), neverLeased);
    await store.close();
    const { stdout } = await runCommand(['webhook', 'list', '--database', folder.file('p.sqlite')]);
    expect(stdout).toEndWith('\tgone since 2999-01-01T00:00:00.000Z\n');
  });
});

describe('listen', () => {
  test('listen verifies each webhook, prints it, and answers 204 or 401', async () => {
    const secret = generateSecret();
    await using listener = await startListener(['--secret', secret]);
    const post = (headers: Record<string, string>, body: string): Promise<Response> =>
      fetch(listener.url, { method: 'POST', headers, body });
    const headersOf = (body: string, timestamp: number, key = secret) => ({
      'webhook-id': 'evt_1_x',
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': sign([key], { id: 'evt_1_x', timestamp, body }),
    });
    const now = Math.floor(Date.now() / 1000);

    for (const [index, [headers, body, status, verdict]] of (
      [
        [headersOf('{"a":1}', now), '{"a":1}', 204, 'verified'],
        [headersOf('{"a":1}', now), '{"a":2}', 401, 'REFUSED: wrong signature'],
        [headersOf('{}', now, generateSecret()), '{}', 401, 'REFUSED: wrong signature'],
        [headersOf('{}', now - 301), '{}', 401, 'REFUSED: timestamp too old or too new'],
        [headersOf('{}', now + 310), '{}', 401, 'REFUSED: timestamp too old or too new'],
        [{}, '{}', 401, 'REFUSED: not signed'],
      ] as const
    ).entries()) {
      expect((await post(headers, body)).status).toBe(status);
      const [at, ...rest] = await listener.line(index);
      expect(at).toMatch(/Z$/);
      expect(rest).toEqual([verdict, 'webhook-id' in headers ? 'evt_1_x' : '-', body]);
    }

    await post({}, 'a\tb\n\u001b[31m');
    expect((await listener.line(6)).at(-1)).toBe(String.raw`a\u0009b\u000a\u001b[31m`);
    await post({ 'webhook-id': 'a\tverified\u009b31m' }, 'x\u007f\u202ey');
    expect((await listener.line(7)).slice(1)).toEqual([
      'REFUSED: not signed',
      String.raw`a\u0009verified\u009b31m`,
      String.raw`x\u007f\u202ey`,
    ]);
    expect((await post({}, 'x'.repeat(65_537))).status).toBe(413);
    // The bytes are signed: a byte order mark and invalid UTF-8 count too.
    for (const bytes of [Buffer.from('\uFEFF{"a":1}'), Buffer.from([0xff])]) {
      const text = new TextDecoder().decode(bytes);
      const response = await fetch(listener.url, { method: 'POST', headers: headersOf(text, now), body: bytes });
      expect(response.status).toBe(401);
    }
    listener.kill('SIGTERM');
    expect(await listener.exited).toBe(0);
  });
});

describe('the secret of listen', () => {
  test('listen reads its secret from the environment too, where ps does not show it', async () => {
    const secret = generateSecret();
    await using listener = await startListener([], { env: { WEBHOOK_SECRET: secret } });
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = {
      'webhook-id': 'evt_1_x',
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': sign([secret], { id: 'evt_1_x', timestamp, body: '{}' }),
    };
    expect((await fetch(listener.url, { method: 'POST', headers, body: '{}' })).status).toBe(204);
    expect((await listener.line(0))[1]).toBe('verified');
  });

  test('the error for an invalid WEBHOOK_SECRET names the setting and does not show its value', async () => {
    const { exitCode, stderr } = await runCommand(['listen'], { env: { WEBHOOK_SECRET: 'hush' } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('WEBHOOK_SECRET must be whsec_');
    expect(stderr).not.toContain('hush');
  });
});

describe('a running server', () => {
  test('a server with --no-webhooks sends nothing, and sends everything after a start without it', async () => {
    using folder = temporaryFolder();
    using receiver = createReceiver();
    const database = folder.file('p.sqlite');
    const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
    using control = createReceiver();
    const databaseOfControl = folder.file('control.sqlite');
    await runCommand(['webhook', 'add', receiver.url, '--database', database], { env });
    await runCommand(['webhook', 'add', control.url, '--database', databaseOfControl], { env });
    {
      await using server = await startServer(database, { env, args: ['--no-webhooks'] });
      await using _ = await startServer(databaseOfControl, { env });
      await Bun.write(folder.file('a.ndjson'), '{"id":1,"name":"n"}\n');
      for (const each of [database, databaseOfControl])
        await runCommand(['import', folder.file('a.ndjson'), '--database', each]);
      expect((await server.logged('ready'))['webhooks']).toBe('not sent');
      await control.got(1);
      expect(receiver.received).toEqual([]);
    }
    await using _ = await startServer(database, { env });
    const [message] = await receiver.got(1);
    expect(message?.body).toContain('"id":1');
  });

  test('a server sends a change to its webhook immediately, and never logs the secret', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    // A proxy in the environment is not used.
    const options = { env: { ...local, LOG_LEVEL: 'trace', HTTP_PROXY: 'http://127.0.0.1:1' } };
    const token = await giveToken(database);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await using server = await startServer(database, options);
    // The receiver needs the secret of the webhook, and the webhook needs the URL of the receiver.
    await using first = await startListener([]);
    const { secret, id } = JSON.parse(
      await (
        await fetch(`${server.url}/webhooks`, { method: 'POST', headers, body: JSON.stringify({ url: first.url }) })
      ).text(),
    );
    first.kill('SIGKILL');
    await first.exited;
    await using listener = await startListener(['--secret', secret, '--port', new URL(first.url).port]);
    await fetch(`${server.url}/plants`, { method: 'POST', headers, body: '{"id":-9223372036854775808,"name":"n"}' });
    const [, verdict, eventId, body] = await listener.line(0);
    expect(verdict).toBe('verified');
    expect(body).toMatch(/^\{"type":"plant\.created","timestamp":"[^"]+Z","id":-9223372036854775808,"name":"n"\}$/);

    expect(await server.logged('delivery')).toMatchObject({ webhookId: id, deliveryId: eventId, try: 1, status: 204 });
    // The log is written a moment later.
    const list = async () => jsonOf(await fetch(`${server.url}/webhooks/${id}/deliveries`, { headers }));
    await until(async () => (await list()).length > 0);
    expect(await list()).toMatchObject([{ id: eventId, state: 'delivered', attempts: [{ status: 204 }] }]);
    expect(JSON.stringify(server.log)).not.toContain(secret);
    expect(JSON.stringify(server.log)).not.toContain('whsec_');
  });

  test('a server answers requests while receivers hang', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const hanging = Promise.withResolvers<Response>();
    using receiver = createReceiver(() => hanging.promise);
    const token = await giveToken(database);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await using server = await startServer(database, { env: local });
    const body = JSON.stringify({ url: receiver.url });
    for (let count = 0; count < 10; count += 1)
      await fetch(`${server.url}/webhooks`, { method: 'POST', headers, body });
    await fetch(`${server.url}/plants`, { method: 'POST', headers, body: '{"id":0,"name":"n"}' });
    await receiver.got(10);
    for (let id = 1; id <= 50; id += 1) {
      const plant = await fetch(`${server.url}/plants`, { method: 'POST', headers, body: `{"id":${id},"name":"n"}` });
      expect(plant.status).toBe(200);
    }
    expect((await fetch(`${server.url}/plants?limit=1`, { headers })).status).toBe(200);
    expect(receiver.received).toHaveLength(10);
    hanging.resolve(taken());
  });

  test('a server sends to a webhook that another process adds', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = await giveToken(database);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await using server = await startServer(database, { env: local });
    await using listener = await startListener([]);
    await runCommand(['webhook', 'add', listener.url, '--database', database], { env: local });
    await fetch(`${server.url}/plants`, { method: 'POST', headers, body: '{"id":1,"name":"n"}' });
    expect((await listener.line(0)).at(-1)).toContain('plant.created');
    // Changes of another process are found by polling.
    await Bun.write(folder.file('in.ndjson'), '{"id":2,"name":"imported"}\n');
    await runCommand(['import', folder.file('in.ndjson'), '--database', database]);
    expect((await listener.line(1)).at(-1)).toContain('"name":"imported"');
  });

  test('a server prunes events that are older than EVENT_RETENTION', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const store = await openTestStore(database);
    setSystemTime(new Date(Date.now() - 2000));
    for (let id = 1n; id <= 3n; id += 1n) await store.plants.create({ id, name: 'n' });
    setSystemTime();
    {
      await using server = await startServer(database, { env: { EVENT_RETENTION: '1d' } });
      server.kill();
      await server.exited;
    }
    expect(await store.events.list({ limit: 10 })).toHaveLength(3);
    await using server = await startServer(database, { env: { EVENT_RETENTION: '1s' } });
    expect(await server.logged('pruned')).toMatchObject({ events: 2 });
    expect(await store.events.list({ limit: 10 })).toMatchObject([{ sequence: 3n }]);
    await store.close();
  });

  test('without WEBHOOK_ALLOW_PRIVATE a server sends to no private address, and logs the failure', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    await using listener = await startListener([]);
    const added = await runCommand(['webhook', 'add', listener.url, '--database', database], { env: local });
    const [id = ''] = added.stdout.split('\t');
    const store = await openTestStore(database);
    await store.plants.create({ id: 1n, name: 'n' });
    await using server = await startServer(database);
    expect(await server.logged('delivery')).toMatchObject({ webhookId: id, failure: 'not_public' });
    await store.close();
  });
});
