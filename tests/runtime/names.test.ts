/** How the hosts of webhooks are looked up on each runtime, with a DNS server of the test. */
import { describe, expect } from 'bun:test';
import { temporaryFolder } from '../support/folder.ts';
import { type NameAnswer, nameServerTest, startNameServer } from '../support/network/name-server.ts';
import { freePort } from '../support/network/port.ts';
import { startRaw } from '../support/network/raw-server.ts';
import { commandOf } from '../support/programs/programs.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { startSenderOn } from '../support/programs/sender-on.ts';
import { hasPostgres } from '../support/store/has-postgres.ts';
import { until } from '../support/until.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';
import { answer as response } from './receivers.ts';

/** Built before the tests, whose name servers respond in this process. */
const programs = {
  bun: commandOf('bun package'),
  deno: commandOf('deno package'),
  node: commandOf('node package'),
};

const found = ['127.0.0.1'];
const ofSystem = { addresses: undefined } as const;
const many = Array.from({ length: 300 }, (_, index) => `127.1.${index >> 8}.${index & 255}`);

describe.concurrent.each(runtimeNames)('on %s', (runtime) => {
  nameServerTest('names are found in the file of hosts, in search domains, and in DNS', async () => {
    const known = ['receiver.example.com', 'short.in.example.net', 'two.labels.in.example.net'];
    using names = await startNameServer({
      answer: ({ name }) => (known.includes(name) ? found : 'NXDOMAIN'),
      options: 'search none.example.net in.example.net',
      hosts: '127.0.0.1 alias Receiver-In-File # comment\n# 127.0.0.1 commented\n',
    });
    using receiver = createReceiver();
    await using sender = startSenderOn(runtime, { prefix: names.prefix });
    const attempt = (host: string): Promise<unknown> => sender.attempt(`http://${host}:${receiver.port}/`, ofSystem);
    expect(await attempt('alias')).toMatchObject({ status: 204 });
    expect(await attempt('receiver-in-file')).toMatchObject({ status: 204 });
    expect(names.questions).toEqual([]);
    expect(await attempt('commented')).toMatchObject({ failure: 'unresolved' });
    for (const host of ['receiver.example.com', 'short', 'two.labels'])
      expect(await attempt(host)).toMatchObject({ status: 204 });
    const asked = names.questions.map(({ name }) => name);
    expect(asked).not.toContain('receiver.example.com.in.example.net');
    expect(asked.indexOf('short.none.example.net')).toBeLessThan(asked.indexOf('short.in.example.net'));
    expect(asked.indexOf('two.labels')).toBeLessThan(asked.indexOf('two.labels.in.example.net'));
  });

  nameServerTest(
    'each kind of response of a name server has its outcome, and one after six seconds is used',
    async () => {
      const isSlow = (name: string): boolean => name.startsWith('slow');
      const answers: Readonly<Record<string, NameAnswer>> = {
        'servfail.example.com': 'SERVFAIL',
        'nxdomain.example.com': 'NXDOMAIN',
        'garbage.example.com': 'garbage',
        'empty.example.com': [],
        'many.example.com': [...many, '127.0.0.1'],
      };
      using names = await startNameServer({
        answer: ({ name }) => (isSlow(name) ? found : answers[name]),
        delayMs: (name) => (isSlow(name) ? 6000 : 0),
      });
      using receiver = await startRaw((socket) => socket.on('data', () => socket.write(response)));
      await using sender = startSenderOn(runtime, { prefix: names.prefix });
      const attempt = (host: string, timeoutMs = 15_000): Promise<unknown> =>
        sender.attempt(`http://${host}.example.com:${receiver.port}/`, { ...ofSystem, timeoutMs });
      const slow = Promise.all(['slow1', 'slow2', 'slow3'].map((host) => attempt(host)));
      for (const host of ['servfail', 'nxdomain', 'empty'])
        expect(await attempt(host)).toMatchObject({ failure: 'unresolved' });
      expect(await attempt('garbage', 500)).toMatchObject({ failure: 'timeout' });
      expect(names.questions.some(({ name, isTcp }) => name === 'many.example.com' && isTcp)).toBe(false);
      // More than a packet has.
      await attempt('many');
      expect(names.questions.some(({ name, isTcp }) => name === 'many.example.com' && isTcp)).toBe(true);
      // UDP may lose a response on a busy machine.
      expect(await slow).toContainEqual(expect.objectContaining({ status: 200 }));
    },
  );

  nameServerTest('names whose server is silent delay no message to another, nor the end of the process', async () => {
    using names = await startNameServer({
      answer: () => found,
      delayMs: (name) => (name === 'prompt.example.com' ? 0 : 60_000),
    });
    using receiver = createReceiver();
    await using sender = startSenderOn(runtime, { prefix: names.prefix });
    const to = (host: string): Promise<Record<string, unknown>> =>
      sender.sendMessage(`http://${host}.example.com:${receiver.port}/`, { ...ofSystem, timeoutMs: 60_000 });
    let ended = 0;
    const hanging = Array.from({ length: 50 }, async (_, index) => {
      expect(await to(`silent${index}`)).toEqual({ rejected: 'AbortError' });
      ended += 1;
    });
    for (let message = 0; message < 5; message += 1)
      expect(await to('prompt')).toMatchObject({ attempt: { status: 204 } });
    expect(ended).toBe(0);

    sender.send({ stop: true });
    await Promise.all(hanging);
    sender.end();
    expect(await sender.exited).toBe(0);
    // The look-ups have not ended.
    expect(names.answered).not.toContain('silent0.example.com');
  });

  nameServerTest.each([
    ['a collector of spans', [], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://silent.example.com' }],
    ...(hasPostgres ? [['PostgreSQL', ['--database', 'postgres://u:p@silent.example.com/d'], {}] as const] : []),
  ])('a service stops while the name of %s is looked up', async (_what, args, env) => {
    using folder = temporaryFolder();
    using names = await startNameServer({ answer: () => found, delayMs: () => 8000 });
    const port = await freePort();
    const command = [...names.prefix, ...programs[runtime], 'serve', '--port', `${port}`, ...args];
    const child = Bun.spawn(command, {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder.path, ...env },
      cwd: folder.path,
      stderr: 'ignore',
    });
    const asked = names.questions;
    await until(async () => {
      await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => {});
      return asked.some(({ name }) => name === 'silent.example.com');
    });
    child.kill('SIGTERM');
    expect(await child.exited).toBe(0);
    // The look-up has not ended.
    expect(names.answered).not.toContain('silent.example.com');
  });

  nameServerTest('attempts to one host share a look-up, and the next attempt makes a new one', async () => {
    using names = await startNameServer({ answer: () => found, delayMs: () => 300 });
    using receiver = createReceiver();
    await using sender = startSenderOn(runtime, { prefix: names.prefix });
    const questions = () => names.questions.filter(({ name }) => name === 'a.example.com');
    const attempt = (): Promise<unknown> => sender.attempt(`http://a.example.com:${receiver.port}/`, ofSystem);
    for (const outcome of await Promise.all(Array.from({ length: 20 }, attempt)))
      expect(outcome).toMatchObject({ status: 204 });
    expect(questions()).toHaveLength(2);
    expect(await attempt()).toMatchObject({ status: 204 });
    expect(questions()).toHaveLength(4);
  });

  // Deno asks the resolver of the system, which waits as long as an attempt.
  nameServerTest.skipIf(runtime === 'deno')(
    'a name has its IPv4 addresses if its server is silent about IPv6',
    async () => {
      using names = await startNameServer({ answer: ({ family }) => (family === 4 ? found : undefined) });
      using receiver = createReceiver();
      await using sender = startSenderOn(runtime, { prefix: names.prefix });
      expect(await sender.attempt(`http://a.example.com:${receiver.port}/`, ofSystem)).toMatchObject({ status: 204 });
    },
  );
});
