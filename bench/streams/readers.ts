/** Streams that are read by a process of its own, over plain sockets: Bun makes at most 256 requests at once. */
import { connect, type Socket } from 'node:net';

export interface Readers extends Disposable {
  /** How many events each stream has. */
  counts(): readonly number[];
  /** When each plant arrived at the first stream, by the monotonic clock. */
  readonly arrivedAtMs: ReadonlyMap<number, number>;
}

/** Opens the streams. Resolves once each has its first line. */
export const openStreams = async (url: string, token: string, count: number): Promise<Readers> => {
  const { hostname, port, host, pathname, search } = new URL(url);
  const counts = Array<number>(count).fill(0);
  const arrivedAtMs = new Map<number, number>();
  const request = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const open = (index: number): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(request));
      let rest = '';
      socket.setEncoding('latin1').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (line.startsWith('HTTP/1.1 ') && !line.startsWith('HTTP/1.1 200')) reject(new Error(line));
          // Each server sends something once the stream has its place in the log.
          if (line.startsWith(':') || line.startsWith('data: ')) resolve(socket);
          // Centrifugo also has messages of its own.
          if (!line.startsWith('data: ') || !line.includes('"id":')) continue;
          counts[index] = (counts[index] ?? 0) + 1;
          const id = index === 0 && /"id":(\d+)/.exec(line)?.[1];
          if (id) arrivedAtMs.set(Number(id), performance.now());
        }
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('A stream has ended.')));
    });
  const sockets: Socket[] = [];
  // Few at a time, since a server accepts a limited number of new connections.
  while (sockets.length < count)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, count - sockets.length) }, (_, n) => open(sockets.length + n)),
      )),
    );
  return {
    counts: () => counts,
    arrivedAtMs,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};
