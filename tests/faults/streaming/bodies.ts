import { connect, type Socket } from 'node:net';

interface BodiesOptions {
  readonly port: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  /** Requests on each connection, so that the responses are more than the buffers of the system store. */
  readonly requests: number;
  /** Whether the responses are read. */
  readonly reads: boolean;
}

/** Opens connections that request a body, and read all responses or nothing. */
export const openBodies = async ({
  port,
  path,
  headers = {},
  connections,
  requests,
  reads,
}: BodiesOptions): Promise<Socket[]> => {
  const lines = Object.entries({ host: 'localhost', 'accept-encoding': 'identity', ...headers });
  const request = `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect(port, '127.0.0.1', () => resolve(socket));
      socket.on('error', reject);
      if (reads) socket.resume();
      else socket.pause();
      socket.write(request.repeat(requests));
    });
  return Promise.all(Array.from({ length: connections }, open));
};
