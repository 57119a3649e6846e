/** A server that records the request of each question, by a prefix of its path, and answers as told. */
import { partsOf } from './multipart.ts';

export interface Recorded {
  readonly method: string;
  /** Brackets and pipes in the query are percent-encoded, which some clients leave to the server. */
  readonly target: string;
  /** Without the boundary of a multipart body, which is another each time. */
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  /** That of a multipart body is the JSON of its parts. */
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Recorder extends AsyncDisposable {
  /** The last request of each question. */
  readonly requests: (Recorded | undefined)[];
  readonly urlOf: (question: number) => string;
}

/** It has the document at `/openapi.json`. A request without the prefix of a question belongs to the first one. */
export const startRecorder = (replies: readonly (Reply | undefined)[], document: unknown): Recorder => {
  const requests: (Recorded | undefined)[] = replies.map(() => undefined);
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const url = new URL(request.url);
      if (url.pathname === '/openapi.json') return Response.json(document);
      const [, question = '0', path = url.pathname] = /^\/q(\d+)(.*)$/.exec(url.pathname) ?? [];
      requests[Number(question)] = await record(request, `${path}${url.search}`);
      const reply = replies[Number(question)];
      if (reply === undefined) return new Response(null, { status: 204 });
      const headers = { 'content-type': reply.contentType ?? 'application/json', ...reply.headers };
      return new Response(reply.body, { status: reply.status ?? 200, headers });
    },
  });
  return {
    requests,
    urlOf: (question) => `http://127.0.0.1:${server.port}/q${question}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
};

export const record = async (request: Request, target: string): Promise<Recorded> => {
  const contentType = request.headers.get('content-type') ?? '';
  const text = await request.text();
  const parts = partsOf(contentType, text);
  return {
    method: request.method,
    target: target.replaceAll(/[[\]|]/g, encodeURIComponent),
    contentType: parts === undefined ? contentType : contentType.replace(/;.*/, ''),
    headers: Object.fromEntries(request.headers),
    body: parts === undefined ? text : JSON.stringify(parts),
  };
};
