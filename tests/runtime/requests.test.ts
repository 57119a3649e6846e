/** The requests of requests.ts, sent to the server on each runtime, so that a difference between runtimes is visible. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { message } from '../support/network/connection.ts';
import { type RuntimeName, runtimeNames } from '../support/programs/runtimes.ts';
import { startServer } from '../support/programs/server-on.ts';
import { type Outcome, type RequestRow, requests } from './requests.ts';

const servers = new Map<RuntimeName, Awaited<ReturnType<typeof startServer>>>();
beforeAll(async () => {
  for (const runtime of runtimeNames) servers.set(runtime, await startServer(runtime, { requestSecondsMax: 60 }));
});
afterAll(async () => {
  for (const server of servers.values()) await server[Symbol.asyncDispose]();
});

/** What each runtime does. */
const expectedOf = ([, , outcome]: RequestRow): Record<RuntimeName, Outcome> =>
  typeof outcome === 'string'
    ? { bun: outcome, deno: outcome, node: outcome }
    : { bun: outcome.bun, deno: outcome.deno ?? outcome.node, node: outcome.node };

const last = message('GET', '/last', 'Connection: close');
/** Follows bytes after which the server closes the connection. If it was hidden in them for one parser, it would get a response. */
const hidden = message('GET', '/hidden');

/**
 * Sends the bytes, and once this number of responses has arrived another request. The server closes the connection after that, or before it if
 * it refuses the bytes. So nothing depends on time.
 */
const outcomeOf = (port: number, bytes: string, count: number): Promise<Outcome> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let isSent = false;
    socket.on('data', (data) => {
      text += data.toString('latin1');
      if (isSent || responsesIn(text).length < count) return;
      isSent = true;
      socket.write(last);
    });
    // A server resets a connection that still sends.
    socket
      .on('error', () => {})
      .on('close', () => {
        const responses = responsesIn(text);
        const isOpen = responses.at(-1) === '200 /last';
        resolve(isOpen ? responses.slice(0, -1).join(', ') : `${responses.join(', ')} closed`.trim());
      });
    socket.write(Buffer.from(bytes, 'latin1'));
  });

/** The complete responses. The server shows each request in JSON. */
const responsesIn = (text: string): string[] =>
  text
    .split(/(?=HTTP\/1\.1 \d{3})/)
    .filter((response) => response.includes('\r\n\r\n') && isComplete(response))
    .map((response) => {
      const status = response.slice(9, 12);
      const shown = /\{"method".*\}/.exec(response)?.[0];
      if (status !== '200' || shown === undefined) return status;
      const { path, body } = JSON.parse(shown);
      return `${status} ${path} ${body}`.trim();
    });

const isComplete = (response: string): boolean => {
  const length = Number(/content-length: (\d+)/i.exec(response)?.[1] ?? 0);
  return response.length >= response.indexOf('\r\n\r\n') + 4 + length;
};

test.each(requests.map((row): [string, RequestRow] => [row[0], row]))(
  'a request with %s has the same outcome on each runtime, or the documented one',
  async (_what, row) => {
    const expected = expectedOf(row);
    const outcomes = await Promise.all(
      runtimeNames.map(async (runtime) => {
        const isClosed = expected[runtime].endsWith('closed');
        const bytes = isClosed ? row[1] + hidden : row[1];
        return [runtime, await outcomeOf(servers.get(runtime)?.port ?? 0, bytes, expected[runtime].split(', ').length)];
      }),
    );
    expect(outcomes).toEqual(runtimeNames.map((runtime) => [runtime, expected[runtime]]));
  },
);

test('a documented difference is a difference', () => {
  for (const row of requests) {
    const [what, , outcome] = row;
    const isDocumented = typeof outcome !== 'string';
    expect([what, isDocumented]).toEqual([what, new Set(Object.values(expectedOf(row))).size > 1]);
  }
});
