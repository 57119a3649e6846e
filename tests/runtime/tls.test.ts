/** Attempts over TLS to receivers that do not behave, and to certificates that are not valid, on each runtime. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { startRaw } from '../support/network/raw-server.ts';
import { startResumingReceiver } from '../support/network/resuming-receiver.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { type SenderOn, startSenderOn } from '../support/programs/sender-on.ts';
import { until } from '../support/until.ts';
import { createReceiver, taken } from '../support/webhooks/receiver.ts';
import { certificates, tlsReceivers } from './tls-receivers.ts';

const read = (name: string): Promise<string> => Bun.file(join(import.meta.dir, 'fixtures', `${name}.pem`)).text();

describe.each(runtimeNames)('on %s', async (runtime) => {
  const ca = await read('authority');
  let sender: SenderOn;
  beforeAll(() => {
    sender = startSenderOn(runtime);
  });
  afterAll(() => sender[Symbol.asyncDispose]());

  const attempt = (port: number, timeoutMs: number): Promise<unknown> =>
    sender.attempt(`https://receiver.example.com:${port}/`, { ca, timeoutMs });

  test.each(Object.entries(tlsReceivers))(
    'the attempt has its outcome if a receiver with TLS %s',
    async (_what, [handle, onAll, differs]) => {
      const expected = differs?.[runtime] ?? onAll;
      using server = await startRaw(handle);
      expect(await attempt(server.port, expected.failure === 'timeout' ? 500 : 60_000)).toMatchObject(expected);
      await server.closed();
      expect(server.sockets).toHaveLength(1);
    },
  );

  test.each(Object.entries(certificates))(
    'a receiver gets the message only if its certificate is accepted, and the attempt has what is wrong: one that %s',
    async (_what, [files, onAll, differs]) => {
      const expected = differs?.[runtime] ?? onAll;
      const chain = await Promise.all(files.map(read));
      const key = await read(files[0] === 'rsa-1024' ? 'rsa-1024.key' : 'key');
      using receiver = createReceiver(taken, 0, { cert: chain.join(''), key });
      const { at: _at, durationMs: _durationMs, ...outcome } = Object(await attempt(receiver.port, 60_000));
      expect(outcome).toEqual(expected);
      expect(receiver.received).toHaveLength('status' in expected ? 1 : 0);
    },
  );

  test('a session that is resumed is one for the same name', async () => {
    using receiver = await startResumingReceiver({ cert: await read('valid'), key: await read('key') });
    const to = (host: string): Promise<unknown> =>
      sender.attempt(`https://${host}:${receiver.port}/`, { ca, timeoutMs: 60_000 });
    expect(await to('receiver.example.com')).toMatchObject({ status: 200 });
    expect(await to('receiver.example.com')).toMatchObject({ status: 200 });
    for (const host of ['other.example.com', '127.0.0.1']) expect(await to(host)).toMatchObject({ failure: 'tls' });
    expect(await to('receiver.example.com')).toMatchObject({ status: 200 });
    await until(() => receiver.resumed.length === 3);
    // Deno resumes none.
    expect(receiver.resumed.includes(true)).toBe(runtime !== 'deno');
  });
});
