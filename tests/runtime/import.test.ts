/** `POST /import` and `GET /export` on each runtime, over raw sockets: files that are too large, cut off, slow or not what they claim. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { importBytesMax } from '../../src/base/app-error.ts';
import { exportsMax } from '../../src/plants/transfer/exporter.ts';
import { importsMax } from '../../src/plants/transfer/importer.ts';
import { temporaryFolder } from '../support/folder.ts';
import { message, open } from '../support/network/connection.ts';
import { sendRaw } from '../support/network/raw.ts';
import { giveToken } from '../support/network/served.ts';
import { type RunningServer, startServer } from '../support/programs/process.ts';
import { commandOf } from '../support/programs/programs.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { until } from '../support/until.ts';

const statusOf = (text: string): number => Number(/HTTP\/1\.1 ([2-5]\d\d)/.exec(text)?.[1]);
const chunk = (data: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), Buffer.from(data), Buffer.from('\r\n')]);

describe.each(runtimeNames)('on %s', (runtime) => {
  const folder = temporaryFolder();
  let server: RunningServer;
  let token: string;
  beforeAll(async () => {
    const database = folder.file('plants.sqlite');
    token = await giveToken(database);
    server = await startServer(database, { program: commandOf(`${runtime} source`), cwd: folder.path });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const head = (...headers: string[]): string =>
    message('POST', '/import', `Authorization: Bearer ${token}`, 'Content-Type: text/csv', ...headers);
  const send = (path: string, init: RequestInit & { method: string }) =>
    fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' } });
  const importFile = async (body: string) => (await send('/import', { method: 'POST', body })).json();
  const isStored = async (id: number): Promise<boolean> =>
    (await send(`/plants/${id}`, { method: 'GET' })).status === 200;

  /** The temporary files that the server has open. They have no name. */
  const spools = (): string[] =>
    readdirSync(`/proc/${server.pid}/fd`).flatMap((descriptor) => {
      try {
        const path = readlinkSync(`/proc/${server.pid}/fd/${descriptor}`);
        return path.includes('plant-store-spool') ? [path] : [];
      } catch {
        return [];
      }
    });

  test('a file is imported with a length, in chunks of any size, and after a client has waited for 100 Continue', async () => {
    const file = 'id,name\n1,a\n2,b\n';
    const length = `Content-Length: ${file.length}`;
    const whole = await sendRaw(server.port, [head(length), file]);
    const chunks = [...file].map(chunk);
    const pieces = await sendRaw(server.port, [head('Transfer-Encoding: chunked'), ...chunks, '0\r\n\r\n']);
    const waited = await sendRaw(server.port, [head(length, 'Expect: 100-continue'), file]);
    for (const { text } of [whole, pieces, waited]) expect(statusOf(text)).toBe(200);
    expect(waited.text).toContain('"created":0,"replaced":0,"unchanged":2');
    expect([await isStored(1), spools()]).toEqual([true, []]);
  });

  test('a file beyond 32 MiB gets 413, declared or counted', async () => {
    const declared = await sendRaw(server.port, [head(`Content-Length: ${importBytesMax + 1}`)]);
    const block = chunk(Buffer.alloc(4 * 1024 * 1024, '\n'));
    const blocks = Array.from({ length: importBytesMax / (4 * 1024 * 1024) }, () => block);
    const counted = await sendRaw(server.port, [head('Transfer-Encoding: chunked'), ...blocks, chunk('\n')]);
    for (const { text } of [declared, counted]) expect(statusOf(text)).toBe(413);
  });

  test('a connection that ends within the file, or within its declared length, imports nothing and leaves nothing', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `${100 + index},cut\n`).join('');
    const file = `id,name\n${rows}`;
    const ways = [
      [head('Content-Length: 10000000'), file],
      [head('Transfer-Encoding: chunked'), chunk(file)],
    ];
    for (let round = 0; round <= importsMax; round += 1) {
      const { socket } = await open(server.port);
      for (const piece of ways[round % 2] ?? []) socket.write(piece);
      await until(() => spools().length === 1);
      socket.destroy();
      await until(() => spools().length === 0);
    }
    expect([await isStored(100), await importFile('id,name\n3,c\n')]).toMatchObject([false, { created: 1 }]);
  });

  test('what comes behind the declared length is not a part of the file', async () => {
    const { text } = await sendRaw(server.port, [head('Content-Length: 12'), 'id,name\n4,a\n5,b\n']);
    // Bun refuses the connection for the malformed request behind it.
    expect(statusOf(text)).toBe(runtime === 'bun' ? 400 : 200);
    expect(await isStored(5)).toBe(false);
  });

  test('slow files keep no other request waiting, and one more than the maximum gets 503', async () => {
    const begin = (index: number): void => {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(head('Transfer-Encoding: chunked'));
      socket.write(chunk(`id,name\n${1000 + index},slow\n`));
      // It is refused if the import below has its place.
      socket.on('data', (data) => statusOf(`${data}`) === 503 && begin(index));
      sockets[index] = socket;
    };
    const sockets: Socket[] = [];
    for (let index = 0; index < importsMax; index += 1) begin(index);
    const file = 'id,name\n6,d\n';
    const tryOnce = () => send('/import', { method: 'POST', body: file });
    await until(async () => (await tryOnce()).status === 503);
    const created = await fetch(`${server.url}/plants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"id":7,"name":"e"}',
    });
    expect(created.status).toBe(200);
    for (const socket of sockets) socket.write('0\r\n\r\n');
    await until(() => isStored(1000 + importsMax - 1));
    for (const socket of sockets) socket.destroy();
    await until(async () => (await tryOnce()).status === 200);
    await until(() => spools().length === 0);
  });

  test('exports whose clients disconnect, before the response or within it, leave nothing and make room', async () => {
    // More than the buffers of a socket.
    const rows = Array.from({ length: 20_000 }, (_, index) => `${10_000 + index},${'n'.repeat(500)}\n`).join('');
    await importFile(`id,name\n${rows}`);
    const begin = (): Socket => {
      const socket = connect(server.port, '127.0.0.1');
      socket.write(message('GET', '/export', `Authorization: Bearer ${token}`));
      return socket;
    };
    for (let round = 0; round < exportsMax; round += 1) {
      const socket = begin();
      if (round % 2 === 0) await until(() => spools().length > 0);
      else await until(() => socket.bytesWritten > 0);
      socket.destroy();
      await until(() => spools().length === 0);
    }
    const text = await (await send('/export', { method: 'GET' })).text();
    expect(text).toContain('"id":29999,');
  });
});
