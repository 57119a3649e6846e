/** `serve --demo` without a socket, or as a process. */
import { openMemory } from '../../../src/cli/database.ts';
import { buildOf } from '../../../src/cli/package.ts';
import { readConfig } from '../../../src/config/config.ts';
import { startDemo } from '../../../src/demo/demo.ts';
import { createLog } from '../../../src/log.ts';
import type { PostMessage } from '../../../src/sender/attempt.ts';
import { demoToken } from '../../../src/tokens/sample.ts';
import { conform, documentOf } from '../document/conformance.ts';
import type { Described } from '../document/document.ts';
import { asStream, isStream } from '../streams/event-stream.ts';
import { openRawStream } from '../streams/raw-stream.ts';
import { asSent } from './app.ts';

/** Use with `await using`. */
export interface TestDemo extends AsyncDisposable {
  /** Sends a request with the token `demo`, unless it has another. Throws if the response does not match the document. */
  send(method: string, path: string, init?: DemoRequest): Promise<Response>;
  /** The same, without the check against the document. */
  sendUnchecked: TestDemo['send'];
  reset(): Promise<void>;
  /** Stops it once the promise is resolved. */
  stop(answered: Promise<void>): Promise<void>;
}

export interface DemoRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
}

interface TestDemoOptions {
  /** The settings. */
  readonly env?: Readonly<Record<string, string>>;
  readonly post?: PostMessage;
  readonly delayMs?: number;
}

export const startTestDemo = async ({ env = {}, ...options }: TestDemoOptions = {}): Promise<TestDemo> => {
  const config = readConfig({ demo: true }, env);
  const demo = await startDemo({
    config,
    log: createLog('silent'),
    build: buildOf(config),
    openStore: openMemory,
    isSending: true,
    ...options,
  });
  const stop: TestDemo['stop'] = (answered) => demo.stop(answered, 0);
  return withRequests(async (request) => asSent(request, await demo.fetch(request)), stop, documentOf(config));
};

/** The same as a process, which is the program under test: loading this builds it, which most tests do not need. */
export const startServedDemo = async ({ env = {} }: Pick<TestDemoOptions, 'env'> = {}): Promise<TestDemo> => {
  const { startDemo: startProcess } = await import('../programs/process.ts');
  const server = await startProcess({ env });
  const send = async (request: Request): Promise<Response> => {
    const { method, headers } = request;
    const path = request.url.replace('http://localhost', '');
    const body = method === 'GET' ? undefined : await request.clone().bytes();
    const sent = [...headers];
    const stream = headers.get('accept') === asStream.accept && (await openStream(server.port, path, sent));
    const response =
      stream || (await fetch(server.url + path, { method, headers: sent, ...(body?.length && { body }) }));
    // A client that reads the length alone, such as that of the fault trials, would fail.
    if (!isStream(response) && !path.startsWith('/export') && response.headers.has('transfer-encoding'))
      throw new Error(`The response to ${method} ${path} has no Content-Length.`);
    // The server adds them to what the app returns.
    for (const name of ['content-length', 'date', 'keep-alive', 'transfer-encoding']) response.headers.delete(name);
    if (response.headers.get('connection') === 'keep-alive') response.headers.delete('connection');
    return response;
  };
  return withRequests(send, async () => server[Symbol.asyncDispose](), documentOf(readConfig({}, env)));
};

/** Bun has at most 256 responses to `fetch` at once, and closes a stream that nothing refers to. Absent if the stream is refused. */
const openStream = async (
  port: number,
  path: string,
  headers: readonly [string, string][],
): Promise<Response | undefined> => {
  let push: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      push = controller;
    },
    cancel: () => stream.close(),
  });
  const stream = await openRawStream({
    port,
    path,
    headers: Object.fromEntries(headers),
    onBody: (bytes) => push?.enqueue(bytes),
  });
  if (stream.status === 200) return new Response(body, { headers: stream.headers });
  stream.close();
  return undefined;
};

const withRequests = (
  fetch: (request: Request) => Promise<Response>,
  stop: TestDemo['stop'],
  described: Described,
): TestDemo => {
  const toRequest = (method: string, path: string, { headers = {}, ...init }: DemoRequest = {}): Request =>
    new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: `Bearer ${demoToken}`, ...headers },
      ...init,
    });
  const send: TestDemo['send'] = async (...parts) => {
    const request = toRequest(...parts);
    const response = await fetch(request);
    await conform(request, response, described);
    return response;
  };
  return {
    send,
    sendUnchecked: (...parts) => fetch(toRequest(...parts)),
    reset: async () => {
      const { status } = await send('POST', '/__demo/reset');
      if (status !== 204) throw new Error(`the reset got status ${status}`);
    },
    stop,
    [Symbol.asyncDispose]: () => stop(Promise.resolve()),
  };
};
