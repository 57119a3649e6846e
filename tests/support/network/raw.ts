import { connect, type Socket } from 'node:net';

/** The bytes received over one TCP connection, and the time until the peer closed it or `quietMs` passed without a byte. */
export interface RawResponse {
  readonly text: string;
  readonly isClosed: boolean;
  readonly durationMs: number;
}

/**
 * Sends the given bytes unchanged, piece by piece, without the normalization of a client library. `firstMs` is the time for the first byte of
 * the response, instead of `quietMs`.
 */
export const sendRaw = async (
  port: number,
  pieces: readonly (string | Buffer)[],
  { quietMs = 300, firstMs = quietMs, gapMs = 5 }: { quietMs?: number; firstMs?: number; gapMs?: number } = {},
): Promise<RawResponse> => {
  const startedAtMs = performance.now();
  const socket = connect(port, '127.0.0.1');
  const response = collect(socket, quietMs, firstMs);
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.write(piece);
    await Bun.sleep(gapMs);
  }
  return { ...(await response), durationMs: performance.now() - startedAtMs };
};

const collect = (socket: Socket, quietMs: number, firstMs: number): Promise<{ text: string; isClosed: boolean }> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const end = (isClosed: boolean): void => {
      socket.destroy();
      resolve({ text: Buffer.concat(chunks).toString('latin1'), isClosed });
    };
    socket.setTimeout(firstMs, () => end(false));
    socket.on('data', (chunk) => {
      chunks.push(Buffer.from(chunk));
      socket.setTimeout(quietMs);
    });
    socket.on('close', () => end(true));
    // A server resets a connection that still sends.
    socket.on('error', () => end(true));
  });
