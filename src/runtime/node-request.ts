import type { IncomingMessage } from 'node:http';

/** A request whose body is read from the connection. */
export class IncomingRequest extends Request {
  readonly incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    const { method = '', url = '', rawHeaders } = incoming;
    const isForbidden = method === 'TRACE';
    // The app reads only the path and the query. Host may be anything here.
    super(url.startsWith('/') ? `http://localhost${url}` : url, { method: isForbidden ? 'GET' : method });
    // Not by the constructor, which would copy them: on Deno that costs 12 µs.
    for (let index = 0; index < rawHeaders.length; index += 2)
      this.headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
    if (isForbidden) Object.defineProperty(this, 'method', { value: method, configurable: true });
    this.incoming = incoming;
  }
}

Object.defineProperty(IncomingRequest.prototype, 'body', {
  get(this: IncomingRequest) {
    const { headers } = this.incoming;
    const hasBody = headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
    const body = hasBody ? toStream(this.incoming) : null;
    Object.defineProperty(this, 'body', { value: body });
    return body;
  },
});
for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const)
  Object.defineProperty(IncomingRequest.prototype, name, {
    async value(this: IncomingRequest) {
      const bytes = await readAll(this.incoming);
      return name === 'bytes' ? bytes : new Response(bytes, this)[name]();
    },
  });

const readAll = (incoming: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.on('error', reject);
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
