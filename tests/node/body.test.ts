/** What is written of the body of a response on Node and Deno. */
import { expect, test } from 'bun:test';
import { sendBody } from '../../src/node/body.ts';
import type { Exchange } from '../../src/node/connection.ts';

/** The chunks that are written of a stream of these pieces. */
const chunksOf = async (...pieces: readonly Uint8Array[]): Promise<readonly Uint8Array[]> => {
  const written: Uint8Array[] = [];
  const write = (chunk: Uint8Array, onEnd: () => void): void => {
    written.push(chunk);
    onEnd();
  };
  const exchange = {
    incoming: { socket: { write } },
    outgoing: { chunkedEncoding: true, on: () => {}, flushHeaders: () => {}, end: () => {} },
    connection: { moveDeadline: () => {} },
  } as unknown as Exchange;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  await sendBody(body, exchange);
  return written;
};

const piece = new TextEncoder().encode('data: 1\n\n');

test('streams that share a piece share its chunk', async () => {
  const [first, second] = await Promise.all([chunksOf(piece), chunksOf(piece)]);
  expect(first.map((chunk) => `${Buffer.from(chunk)}`)).toEqual(['9\r\ndata: 1\n\n\r\n']);
  expect(second[0]).toBe(first[0] as Uint8Array);
});

test('an empty piece is not the last chunk, and a large piece is many chunks', async () => {
  expect(await chunksOf(new Uint8Array())).toEqual([]);
  const chunks = await chunksOf(new Uint8Array(64 * 1024 + 1));
  expect(chunks.map((chunk) => `${Buffer.from(chunk)}`.split('\r\n')[0])).toEqual(['10000', '1']);
});
