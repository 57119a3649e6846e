import { createServer, type Socket } from 'node:net';

/** A TCP server on a port of its own. */
export interface RawServer extends Disposable {
  readonly port: number;
  /** All connections so far. */
  readonly sockets: readonly Socket[];
  /** Resolves once the peers have closed all of them. */
  closed(): Promise<void>;
}

/** `handle` gets each connection, and its number from 0. */
export const startRaw = async (
  handle: (socket: Socket, index: number) => void,
  host = '127.0.0.1',
): Promise<RawServer> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    handle(socket, sockets.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    sockets,
    closed: async () => {
      for (const socket of sockets)
        if (!socket.destroyed) await new Promise((resolve) => socket.resume().once('close', resolve));
    },
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

type Handle = (socket: Socket) => void;

/** Sends this after the first piece of a request. */
export const say =
  (text: string | Uint8Array): Handle =>
  (socket) =>
    socket.once('data', () => socket.write(text));

/** The same, and ends the connection. */
export const sayLast =
  (text: string): Handle =>
  (socket) =>
    socket.once('data', () => socket.end(text));

/** Sends the beginning, and then the piece without end, as fast as the peer reads. */
export const flood =
  (piece: string | Uint8Array, beginning: string | Uint8Array = ''): Handle =>
  (socket) =>
    socket.once('data', () => {
      socket.write(beginning);
      floodNow(socket, piece);
    });

/** Sends the piece without end. */
export const floodNow = (socket: Socket, piece: string | Uint8Array): void => {
  const pieces = Buffer.concat(Array(Math.ceil(16_384 / piece.length)).fill(Buffer.from(piece)));
  const more = (): void => {
    while (!socket.destroyed && socket.write(pieces));
  };
  socket.on('drain', more);
  more();
};

/** Sends the beginning, and then the piece every 20 ms. */
export const drip =
  (piece: string, beginning: string | Uint8Array = ''): Handle =>
  (socket) =>
    socket.once('data', () => {
      socket.write(beginning);
      const timer = setInterval(() => socket.write(piece), 20);
      socket.on('close', () => clearInterval(timer));
    });
