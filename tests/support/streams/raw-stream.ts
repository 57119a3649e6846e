/** `GET /events` as a stream, over a separate TCP connection: the raw bytes, without the normalization of a client library. */
import type { Socket } from 'bun';

export interface StreamRequest {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Default: `/events`. */
  readonly path?: string;
  /** Is called with the bytes of the body of a 200, without the framing of chunks. */
  readonly onBody?: (bytes: Buffer) => void;
}

export interface RawStream {
  readonly status: number;
  readonly headers: Headers;
  /** `complete`: the last chunk arrived, or all of Content-Length. `cut`: the connection was closed before. */
  readonly ended: Promise<'complete' | 'cut'>;
  /** Reads nothing more until `resume`, so that the buffers between server and client fill up. */
  pause(): void;
  resume(): void;
  /** Closes the connection. */
  close(): void;
}

/** Resolves when the head of the response has arrived. Rejects when the connection is refused or closed before. */
export const openRawStream = async ({
  port,
  headers,
  path = '/events',
  onBody = () => {},
}: StreamRequest): Promise<RawStream> => {
  const opened = Promise.withResolvers<RawStream>();
  const ended = Promise.withResolvers<'complete' | 'cut'>();
  let head = '';
  let readBody: ((bytes: Buffer) => boolean) | undefined;

  const open = (socket: Socket): void => {
    const { status, headers } = parseHead(head);
    const length = headers.get('content-length');
    const use = status === 200 ? onBody : () => {};
    readBody = length === null ? createChunkReader(use) : createLengthReader(Number(length), use);
    opened.resolve({
      status,
      headers,
      ended: ended.promise,
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      close: () => socket.terminate(),
    });
  };
  const read = (socket: Socket, bytes: Buffer): void => {
    if (readBody) {
      if (readBody(bytes)) ended.resolve('complete');
      return;
    }
    head += bytes.toString('latin1');
    const headEnd = head.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const body = Buffer.from(head.slice(headEnd + 4), 'latin1');
    open(socket);
    read(socket, body);
  };
  const close = (): void => {
    ended.resolve('cut');
    opened.reject(new Error('The connection was closed before the response.'));
  };
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: { binaryType: 'buffer', data: read, close, end: close, error: close },
  });
  const lines = Object.entries({ host: 'localhost', accept: 'text/event-stream', ...headers });
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  return opened.promise;
};

const parseHead = (text: string) => {
  const [statusLine = '', ...lines] = text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers };
};

/** Reads chunks (RFC 9112 §7.1). The function returns whether the last one, with the empty line after it, was read. */
const createChunkReader = (onBody: (bytes: Buffer) => void) => {
  let [left, line, isLast, isOver] = [0, '', false, false];
  const readLine = (text: string): void => {
    if (text === '') isOver = isLast;
    else {
      left = Number.parseInt(text, 16);
      isLast = left === 0;
    }
  };
  return (bytes: Buffer): boolean => {
    for (let at = 0; at < bytes.length; ) {
      if (left > 0) {
        const piece = bytes.subarray(at, at + left);
        left -= piece.length;
        at += piece.length;
        onBody(piece);
      } else {
        const byte = String.fromCharCode(bytes[at] ?? 0);
        at += 1;
        line += byte;
        if (byte !== '\n') continue;
        readLine(line.trim());
        line = '';
      }
    }
    return isOver;
  };
};

const createLengthReader = (lengthBytes: number, onBody: (bytes: Buffer) => void) => {
  let left = lengthBytes;
  return (bytes: Buffer): boolean => {
    left -= bytes.length;
    onBody(bytes);
    return left <= 0;
  };
};
