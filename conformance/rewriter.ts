/** A proxy that changes the responses of the service. */
export interface Rewriter extends Disposable {
  readonly url: string;
  /** The bodies of pictures that it has received. */
  readonly uploads: readonly Buffer[];
}

/**
 * Starts a proxy before the service at `upstream`, which replaces the body of each response by what `rewrite` returns. A body may be bytes, so
 * its text is Latin-1, which keeps them.
 */
export const startRewriter = (upstream: string, rewrite: (body: string) => string): Rewriter => {
  const uploads: Buffer[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const { method } = request;
      const body = method === 'POST' || method === 'PUT' ? Buffer.from(await request.arrayBuffer()) : null;
      if (body && method === 'PUT') uploads.push(body);
      const response = await fetch(upstream + pathname + search, { method, headers: request.headers, body });
      const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
      const headers = new Headers(response.headers);
      headers.delete('content-length');
      const rewritten = response.status === 204 ? null : Buffer.from(rewrite(text), 'latin1');
      return new Response(rewritten, { status: response.status, headers });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, uploads, [Symbol.dispose]: () => void server.stop(true) };
};
