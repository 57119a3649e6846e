import { toHeaders } from './headers.ts';
import { completeWith } from './light.ts';

export type ResponseBody = string | Uint8Array | Blob | ReadableStream<Uint8Array> | null;

const FullResponse = Response;

/** The members of a response that the app uses. It keeps its body as it is given, so that the server can send a text without a stream. */
class LightResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly #body: ResponseBody;
  #full: Response | undefined;

  constructor(
    given: ConstructorParameters<typeof Response>[0] = null,
    { status = 200, headers = {} }: ResponseInit = {},
  ) {
    const { body, type } = readBody(given);
    this.status = status;
    this.headers = toHeaders(Symbol.iterator in headers ? headers : Object.entries(headers));
    this.#body = body;
    if (type && !this.headers.has('content-type')) this.headers.set('content-type', type);
  }

  get body(): ReadableStream<Uint8Array> | null {
    const { body } = LightResponse.toFull(this);
    if (body) sources.set(body, this.#body);
    return body;
  }

  /** Undefined for a response of another class. */
  static bodyOf(response: Response): ResponseBody | undefined {
    return #body in response ? response.#body : undefined;
  }
  static toFull(response: LightResponse): Response {
    response.#full ??= new FullResponse(response.#body, { status: response.status, headers: [...response.headers] });
    return response.#full;
  }
  static [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof FullResponse;
  }
}

/** The bodies that streams were made of. Elysia makes a new response of the stream of another one, to change its status. */
const sources = new WeakMap<ReadableStream, ResponseBody>();

/** A body that the server can send, and its media type, if the body has one. */
const readBody = (given: ConstructorParameters<typeof Response>[0]): { body: ResponseBody; type?: string | null } => {
  if (typeof given === 'string') return { body: given, type: 'text/plain;charset=UTF-8' };
  if (given instanceof Blob) return { body: given, type: given.type };
  if (given instanceof ReadableStream) return { body: sources.get(given) ?? given };
  if (given === null || given instanceof Uint8Array) return { body: given };
  const { body, headers } = new FullResponse(given);
  return { body, type: headers.get('content-type') };
};

export const OutgoingResponse = completeWith(LightResponse, FullResponse, LightResponse.toFull);

/** The body as it was given. */
export const bodyOf = (response: Response): ResponseBody => {
  const body = LightResponse.bodyOf(response);
  return body === undefined ? response.body : body;
};
