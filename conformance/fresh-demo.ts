import { demoToken } from '../src/tokens/sample.ts';
import { startDemo } from '../tests/support/programs/process.ts';

export interface FreshDemo extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts `serve --demo`, behind a proxy that resets it before the request that follows one with an unsafe method. So each request finds the
 * sample data.
 */
export const startFreshDemo = async (): Promise<FreshDemo> => {
  const demo = await startDemo();
  const headers = { authorization: `Bearer ${demoToken}` };
  let isChanged = false;
  const proxy = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      if (isChanged) {
        const { ok: isReset } = await fetch(`${demo.url}/__demo/reset`, { method: 'POST', headers });
        if (!isReset) return new Response('The demo cannot be reset.', { status: 502 });
      }
      isChanged = !safeMethods.includes(request.method);
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(`${demo.url}${pathname}${search}`, request), { redirect: 'manual' });
    },
  });
  return {
    url: proxy.url.origin,
    [Symbol.asyncDispose]: async () => {
      await proxy.stop(true);
      await demo[Symbol.asyncDispose]();
    },
  };
};

/** Of RFC 9110, section 9.2.1. */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];
