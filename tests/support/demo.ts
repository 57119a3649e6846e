/** `serve --demo` without a socket. */
import { buildOf, openMemory } from '../../src/cli/database.ts';
import { readConfig } from '../../src/config.ts';
import { startDemo } from '../../src/demo/demo.ts';
import { demoToken } from '../../src/domain/sample-data.ts';
import { createLog } from '../../src/log.ts';
import type { Post } from '../../src/webhooks/attempt.ts';
import { asSent } from './app.ts';
import { conform } from './conformance.ts';

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
  readonly body?: string | ReadableStream;
}

interface TestDemoOptions {
  /** The settings. */
  readonly env?: Readonly<Record<string, string>>;
  readonly post?: Post;
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
  const stop = (answered: Promise<void>): Promise<void> => demo.stop(answered, 0);
  const toRequest = (method: string, path: string, { headers = {}, ...init }: DemoRequest = {}): Request =>
    new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: `Bearer ${demoToken}`, ...headers },
      ...init,
    });
  const fetch = async (request: Request): Promise<Response> => asSent(request, await demo.fetch(request));
  const send: TestDemo['send'] = async (...parts) => {
    const request = toRequest(...parts);
    const response = await fetch(request);
    await conform(request, response);
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
