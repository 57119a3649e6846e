import { connect, createServer } from 'node:net';

/** Use with `await using`. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
}

export interface CuttingOptions {
  /** Returns the port of 127.0.0.1 to which the next connection is forwarded. */
  readonly to: () => number;
  /** Returns the number of response bytes after which the next connection is closed. */
  readonly bytesMax: () => number;
}

/** Starts a TCP proxy that closes each connection after some response bytes, at any position. */
export const startCuttingProxy = async ({ to, bytesMax }: CuttingOptions): Promise<CuttingProxy> => {
  const listener = createServer((client) => {
    const server = connect(to(), '127.0.0.1');
    let left = bytesMax();
    client.on('error', () => {}).on('close', () => server.destroy());
    server.on('error', () => {}).on('close', () => client.end());
    client.on('data', (bytes) => server.write(bytes));
    server.on('data', (bytes: Buffer) => {
      client.write(bytes.subarray(0, Math.max(0, left)));
      left -= bytes.length;
      if (left <= 0) server.destroy();
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()));
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return { port: address.port, [Symbol.asyncDispose]: async () => void listener.close() };
};
