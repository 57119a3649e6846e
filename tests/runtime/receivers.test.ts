/** Attempts to receivers that do not behave: one list for all runtimes, so that a difference between them is seen. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startRaw } from '../support/network/raw-server.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { type SenderOn, startSenderOn } from '../support/programs/sender-on.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';
import { answer, closedReceivers, endlessReceivers, otherReceivers, unaskedData } from './receivers.ts';

describe.each(runtimeNames)('on %s', (runtime) => {
  let sender: SenderOn;
  beforeAll(() => {
    sender = startSenderOn(runtime);
  });
  afterAll(() => sender[Symbol.asyncDispose]());

  test.concurrent.each(Object.entries({ ...closedReceivers, ...otherReceivers }))(
    'the attempt has its outcome if the receiver %s',
    async (what, [handle, onAll, differs]) => {
      const expected = differs?.[runtime] ?? onAll;
      const timeoutMs = expected.failure === 'timeout' ? 500 : 60_000;
      using server = await startRaw(handle);
      const send = () => sender.attempt(`http://a.test:${server.port}/`, { timeoutMs });
      let attempt = await send();
      // On a busy machine, an attempt may end before it has a connection.
      while (server.sockets.length === 0) attempt = await send();
      expect(attempt).toMatchObject(expected);
      if (what in closedReceivers) await server.closed();
      expect(server.sockets).toHaveLength(1);
      // Little is read beyond what the system buffers. Bun reads until the time limit.
      if (runtime !== 'bun') expect(server.sockets[0]?.bytesWritten).toBeLessThan(32 * 1024 * 1024);
    },
  );

  test('receivers that send without end delay no message to another', async () => {
    using receiver = createReceiver();
    const servers = await Promise.all(Object.values(endlessReceivers).map(([handle]) => startRaw(handle)));
    const ended = Promise.all(servers.map(({ port }) => sender.attempt(`http://a.test:${port}/`, { timeoutMs: 500 })));
    for (let message = 0; message < 5; message += 1)
      expect(await sender.attempt(receiver.url, { timeoutMs: 60_000 })).toMatchObject({ status: 204 });
    await ended;
    for (const server of servers) {
      await server.closed();
      server[Symbol.dispose]();
    }
  });

  test.each(Object.entries(unaskedData))(
    'a receiver that sends %s over a kept connection gets the next message over another',
    async (_what, send) => {
      const answered = Promise.withResolvers<void>();
      using server = await startRaw((socket, index) => {
        socket.on('data', () => socket.write(answer));
        if (index === 0) void answered.promise.then(() => send(socket));
      });
      const url = `http://a.test:${server.port}/`;
      expect(await sender.attempt(url)).toMatchObject({ status: 200 });
      expect(await sender.attempt(url)).toMatchObject({ status: 200 });
      expect(server.sockets).toHaveLength(1);
      answered.resolve();
      await server.closed();
      expect(await sender.attempt(url)).toMatchObject({ status: 200 });
      expect(server.sockets).toHaveLength(2);
    },
  );
});
