export type KnownBody = string | Uint8Array | Blob;
const NativeResponse = Response;

/** A response that remembers its body, so that the server can send it without a stream. */
export class KnownResponse extends Response {
  readonly known: KnownBody | undefined;

  constructor(body?: ConstructorParameters<typeof Response>[0], init?: ResponseInit) {
    const known = knownOf(body);
    super(known === undefined ? body : null, init);
    if (known === undefined) return;
    this.known = known;
    if (typeof body === 'string' && !this.headers.has('content-type'))
      this.headers.set('content-type', 'text/plain;charset=UTF-8');
  }
}

/** Elysia makes a new response of the body of another one, to change its status. */
const knownOf = (body: ConstructorParameters<typeof Response>[0]): KnownBody | undefined => {
  if (body instanceof ReadableStream) return knownOfStream.get(body);
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob ? body : undefined;
};
const knownOfStream = new WeakMap<ReadableStream, KnownBody>();

/** What reads the body has the same result as in a response of Node. */
for (const name of ['arrayBuffer', 'blob', 'body', 'bodyUsed', 'bytes', 'clone', 'formData', 'json', 'text'] as const)
  Object.defineProperty(KnownResponse.prototype, name, {
    get(this: KnownResponse) {
      const full = fullOf(this);
      const member: unknown = Reflect.get(NativeResponse.prototype, name, full);
      if (member instanceof ReadableStream && this.known !== undefined) knownOfStream.set(member, this.known);
      return typeof member === 'function' ? member.bind(full) : member;
    },
  });

const fullOf = (response: KnownResponse): Response => {
  if (response.known === undefined) return response;
  const full = fulls.get(response) ?? new NativeResponse(response.known, response);
  fulls.set(response, full);
  return full;
};
const fulls = new WeakMap<Response, Response>();
