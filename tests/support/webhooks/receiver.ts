import { join } from 'node:path';

/** A receiver of webhooks: a real server that stores the messages. */
export interface Receiver extends Disposable {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Resolves once this number has arrived. */
  got(count: number): Promise<Received[]>;
}

export interface Received {
  readonly atMs: number;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

type Answer = (received: Received, count: number) => Response | Promise<Response>;

export const taken = (): Response => new Response(null, { status: 204 });

/** A key, and its certificate for receiver.example.com, as PEM. */
export const readReceiverTls = async () => {
  const read = (name: string) => Bun.file(join(import.meta.dir, '../../webhooks/fixtures', name)).text();
  const [key, cert] = await Promise.all([read('receiver.key.pem'), read('receiver.cert.pem')]);
  return { key, cert };
};

/** Responds to each request with the result of `answer`, which gets the number of earlier requests. */
export const createReceiver = (answer: Answer = taken, port = 0, tls?: Bun.TLSOptions): Receiver => {
  const received: Received[] = [];
  let arrived = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    idleTimeout: 0,
    ...(tls && { tls }),
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const headers = Object.fromEntries(request.headers.entries());
      const one = { atMs: Date.now(), path: pathname + search, headers, body: await request.text() };
      received.push(one);
      arrived.resolve();
      arrived = Promise.withResolvers();
      return answer(one, received.length - 1);
    },
  });
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${server.port}/`,
    port: Number(server.port),
    received,
    got: async (count) => {
      while (received.length < count) await arrived.promise;
      return received;
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
};
