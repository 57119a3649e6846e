/** A proxy that changes the responses of the service. */
export interface Rewriter extends Disposable {
  readonly url: string;
}

/** Starts a proxy before the service at `upstream`, which replaces the body of each response by what `rewrite` returns. */
export const startRewriter = (upstream: string, rewrite: (body: string) => string): Rewriter => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const { method } = request;
      const body = method === 'POST' ? await request.text() : null;
      const response = await fetch(upstream + pathname + search, { method, headers: request.headers, body });
      const text = await response.text();
      const headers = new Headers(response.headers);
      headers.delete('content-length');
      return new Response(response.status === 204 ? null : rewrite(text), { status: response.status, headers });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.dispose]: () => void server.stop(true) };
};
