/** A client that records its requests, so that the log can be compared with them. */
import { randomUUID } from 'node:crypto';
import type { Running } from '../../support/servers.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface SentRequest {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

export interface RequestOptions {
  /** A token instead of that of the server, or null for none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Client {
  readonly sent: readonly SentRequest[];
  get(path: string, options?: RequestOptions): Promise<Answer>;
  /** Posts JSON to /plants. */
  create(body: string | object, options?: RequestOptions): Promise<Answer>;
}

export const createClient = ({ url, token: ownToken }: Running): Client => {
  const sent: SentRequest[] = [];
  const send = async (method: string, path: string, options: RequestOptions, body?: string): Promise<Answer> => {
    const { token = ownToken, headers } = options;
    const requestId = `check-${randomUUID()}`;
    const response = await fetch(`${url}${path}`, {
      // A server may close a connection after it has refused a body without reading it.
      keepalive: false,
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        'x-request-id': requestId,
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const { status } = response;
    const answer = { status, headers: response.headers, text: await response.text() };
    const answeredId = response.headers.get('x-request-id') ?? '';
    // A test of the header sends its own value.
    if (!headers?.['x-request-id'])
      expect('the X-Request-Id of the client', answeredId === requestId, describe(answer));
    sent.push({
      requestId: answeredId,
      method,
      route: path.startsWith('/plants/') ? '/plants/:id' : '/plants',
      status,
    });
    if (status >= 400) expectError(answer);
    return answer;
  };
  return {
    sent,
    get: (path, options = {}) => send('GET', path, options),
    create: (body, options = {}) =>
      send('POST', '/plants', options, typeof body === 'string' ? body : JSON.stringify(body)),
  };
};

/** Throws an error that names the work that is missing. `found` describes the actual result. */
export const expect = (work: string, isDone: boolean, found: string): void => {
  if (!isDone) throw new Error(`${work}: ${found}`);
};

export const expectStatus = (work: string, answer: Answer, status: number): void =>
  expect(`${work} (${status})`, answer.status === status, describe(answer));

/** Throws unless the body is this value in JSON, with its members in any order. */
export const expectBody = (work: string, answer: Answer, value: unknown): void =>
  expect(work, answer.status === 200 && Bun.deepEquals(JSON.parse(answer.text), value), describe(answer));

export const describe = ({ status, headers, text }: Answer): string =>
  `status ${status}, ${JSON.stringify(Object.fromEntries(headers))}, ${text.slice(0, 200)}`;

const expectError = (answer: Answer): void => {
  const { error, message }: { error?: unknown; message?: unknown } = JSON.parse(answer.text);
  const isError = Number.isInteger(error) && typeof message === 'string';
  expect('an error in JSON, {"error": integer, "message": string}', isError, describe(answer));
  expect('Cache-Control: no-store of an error', answer.headers.get('cache-control') === 'no-store', describe(answer));
};
