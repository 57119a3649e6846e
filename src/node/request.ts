import type { IncomingMessage } from 'node:http';
import type { Connection, Exchange } from './connection.ts';
import { readHeaders } from './headers.ts';
import { completeWith } from './light.ts';

/**
 * The members of a request that the app uses. Its headers are read when they are first used, and its body is read from the connection. Its
 * URL is on `localhost`, since the app reads only the path and the query, and Host may be anything.
 */
class LightRequest {
  readonly incoming: IncomingMessage;
  readonly connection: Connection;
  #headers: Headers | undefined;
  #body: ReadableStream<Uint8Array> | null | undefined;
  #full: Request | undefined;

  constructor({ incoming, connection }: Omit<Exchange, 'outgoing'>) {
    this.incoming = incoming;
    this.connection = connection;
  }
  get method(): string {
    return this.incoming.method ?? '';
  }
  get url(): string {
    const { url = '' } = this.incoming;
    return url.startsWith('/') ? `http://localhost${url}` : url;
  }
  get headers(): Headers {
    this.#headers ??= readHeaders(this.incoming.rawHeaders);
    return this.#headers;
  }
  get body(): ReadableStream<Uint8Array> | null {
    if (this.#body === undefined) this.#body = hasBody(this.incoming) ? toStream(this.incoming) : null;
    return this.#body;
  }
  /** Aborted when the client has disconnected. */
  get signal(): AbortSignal {
    return this.connection.signal;
  }
  bytes(): Promise<Uint8Array> {
    return hasBody(this.incoming) ? readAll(this.incoming) : Promise.resolve(new Uint8Array());
  }

  static toFull(request: LightRequest): Request {
    const { url, method, headers, body } = request;
    request.#full ??= new Request(url, { method, headers: [...headers], body, duplex: 'half' });
    return request.#full;
  }
}

export const IncomingRequest = completeWith(LightRequest, Request, LightRequest.toFull);

/** Without a body, the server has closed the stream of the request from the start. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;

/** Rejects if the client has disconnected, or does so within the body. Deno then emits no error. */
const readAll = (incoming: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const fail = (): void => reject(new Error('The connection was closed.'));
    if (incoming.destroyed) fail();
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      // Its error, which nobody would get, has a stack trace: 2 % of a create on Node.
      incoming.off('close', fail);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    incoming.on('error', reject);
    incoming.on('close', fail);
  });

/** Not `Readable.toWeb`: when its reader cancels, it closes the connection, and the response is lost. */
const toStream = (incoming: IncomingMessage): ReadableStream<Uint8Array> => {
  const chunks = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
};
