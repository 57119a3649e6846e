import { type ReadSpan, readSpans } from './otlp.ts';

/** A collector of traces: a real server that stores the received spans. */
export interface Collector extends Disposable {
  /** As `OTEL_EXPORTER_OTLP_ENDPOINT` takes it. */
  readonly url: string;
  readonly requests: readonly ExportRequest[];
  /** The spans of all requests. */
  readonly spans: readonly ReadSpan[];
  /** The only span of this name. Throws when there are none or several. */
  span(name: string): ReadSpan;
}

interface ExportRequest {
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** `answer` gives the response to each request, after its body was read. */
export const createCollector = (answer: () => Response | Promise<Response> = accepted): Collector => {
  const requests: ExportRequest[] = [];
  const spans: ReadSpan[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const body = await request.bytes();
      requests.push({ path: new URL(request.url).pathname, headers: request.headers, body });
      spans.push(...readSpans(body));
      return answer();
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    spans,
    span: (name) => {
      const [found, ...others] = spans.filter((span) => span.name === name);
      if (!found || others.length > 0) throw new Error(`not one ${name}: ${spans.map((span) => span.name)}`);
      return found;
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
};

/** An empty ExportTraceServiceResponse. */
const accepted = (): Response => new Response('', { headers: { 'content-type': 'application/x-protobuf' } });
