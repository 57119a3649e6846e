import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/**
 * The bytes received over one TCP connection, until the peer closed it or `quietMs` passed after the last complete response. A connection
 * that a response announces to close is awaited.
 */
export interface RawResponse {
  readonly text: string;
  readonly isClosed: boolean;
}

/**
 * Sends the given bytes unchanged, piece by piece, without the normalization of a client library. A response that is incomplete is awaited
 * until the test ends.
 */
export const sendRaw = async (
  port: number,
  pieces: readonly (string | Buffer)[],
  { quietMs = 100, gapMs = 5 }: { quietMs?: number; gapMs?: number } = {},
): Promise<RawResponse> => {
  const socket = connect(port, '127.0.0.1');
  const response = collect(socket, quietMs, `${pieces[0]}`.startsWith('HEAD '));
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.write(piece);
    await setTimeout(gapMs);
  }
  return response;
};

const collect = (socket: Socket, quietMs: number, isHead: boolean): Promise<RawResponse> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const text = (): string => Buffer.concat(chunks).toString('latin1');
    const end = (isClosed: boolean): void => {
      socket.destroy();
      resolve({ text: text(), isClosed });
    };
    socket.on('timeout', () => end(false));
    socket.on('data', (chunk) => {
      chunks.push(Buffer.from(chunk));
      const mustEnd = /\r\nconnection: *close\r\n/i.test(text()) || !areComplete(text(), isHead);
      socket.setTimeout(mustEnd ? 0 : quietMs);
    });
    socket.on('close', () => end(true));
    // A server resets a connection that still sends.
    socket.on('error', () => end(true));
  });

/** Whether these are complete responses (RFC 9112 §6.3). One without a length ends with its connection. */
const areComplete = (text: string, isHead: boolean): boolean => {
  if (text === '') return true;
  const [head = '', ...rest] = text.split('\r\n\r\n');
  if (rest.length === 0) return false;
  const body = rest.join('\r\n\r\n');
  const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(head) ?? [];
  // The final response comes behind it.
  if (status.startsWith('1')) return body !== '' && areComplete(body, isHead);
  if (isHead || ['204', '304'].includes(status)) return areComplete(body, isHead);
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (length !== undefined) return body.length >= Number(length) && areComplete(body.slice(Number(length)), isHead);
  const [all] = /^(?:(?!0\r\n)[\s\S]*?\r\n)?0\r\n\r\n/.exec(body) ?? [];
  return all !== undefined && areComplete(body.slice(all.length), isHead);
};
