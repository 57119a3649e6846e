/** A server that shows what it gets, on any runtime. Commands come from stdin, and what happens goes to stdout, one JSON text a line. */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBytes } from '../../src/http/body.ts';
import { jsonResponse, toResponse } from '../../src/http/response.ts';
import { listen } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';

export type ServerCommand =
  | { readonly listen: { readonly host: string; readonly port: number; readonly requestSecondsMax?: number } }
  | { readonly release: true }
  | { readonly stop: { readonly delayMs?: number; readonly graceMs: number } };

const print = (result: object): void => console.log(JSON.stringify(result));

/** Pieces without an end. Their number is printed when the client has gone. */
const endless = (size: number): ReadableStream<Uint8Array> => {
  let pieces = 0;
  return new ReadableStream(
    {
      pull: async (controller) => {
        await sleep(1);
        pieces += 1;
        controller.enqueue(new Uint8Array(size).fill(97));
      },
      cancel: () => print({ cancelled: pieces }),
    },
    { highWaterMark: 0 },
  );
};

const pieces = (count: number): ReadableStream<Uint8Array> => {
  let sent = 0;
  return new ReadableStream(
    {
      pull: async (controller) => {
        if (sent === count) return controller.close();
        await sleep(20);
        sent += 1;
        controller.enqueue(new TextEncoder().encode(`piece ${sent}\n`));
      },
    },
    { highWaterMark: 0 },
  );
};

const failing = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(10).fill(97)),
    pull: () => Promise.reject(new Error('a defect')),
  });

const show = async (request: Request): Promise<Response> => {
  const { method, headers } = request;
  const { pathname, search } = new URL(request.url);
  const body = await readBytes(request, headers.get('content-length') ?? undefined);
  return jsonResponse({
    method,
    path: pathname + search,
    host: headers.get('host'),
    tag: headers.get('x-tag'),
    peer: server?.peerOf(request),
    body: new TextDecoder().decode(body.subarray(0, 100)),
    bytes: body.length,
  });
};

/** Uses members of Request, Headers and Response that the service itself does not use. */
const whole = async (request: Request): Promise<Response> => {
  const response = Response.json(await request.clone().json(), { status: 201, statusText: 'Made' });
  const copy = new Response(await response.clone().text(), { headers: new Headers([...request.headers]) });
  for (const name of [...copy.headers.keys()]) if (!name.startsWith('x-')) copy.headers.delete(name);
  copy.headers.append('x-tag', [...copy.headers.keys()].join());
  copy.headers.append('x-tag', `${response.ok} ${copy.ok} ${request.signal.aborted} ${copy instanceof Response}`);
  return copy;
};

/** Bodies that all their responses share. */
const shared = { blob: new Blob(['x'.repeat(4_000_000)]), bytes: new Uint8Array(4_000_000) };

/** Of all requests but those for them. */
const counts = { begun: 0, active: 0 };

const respond = async (request: Request): Promise<Response> => {
  if (new URL(request.url).pathname === '/counts') return jsonResponse(counts);
  counts.begun += 1;
  counts.active += 1;
  try {
    return await route(request);
  } finally {
    counts.active -= 1;
  }
};

const route = async (request: Request): Promise<Response> => {
  const { pathname, searchParams } = new URL(request.url);
  const number = (name: string): number => Number(searchParams.get(name));
  switch (pathname) {
    case '/text':
      return new Response('x'.repeat(number('size')), { headers: { 'x-a': 'b' } });
    case '/bytes':
      return new Response(new Uint8Array(number('size')));
    case '/blob':
      return new Response(new Blob(['x'.repeat(number('size'))]));
    case '/shared-blob':
      return new Response(shared.blob);
    case '/shared-bytes':
      return new Response(shared.bytes);
    case '/read':
      return new Response(await request.bytes());
    case '/kept':
      kept.push(request);
      return new Response(new Uint8Array(number('size')));
    case '/pending':
      return Response.json({ pending: kept.map((one) => server?.isPending(one)) });
    case '/nothing':
      return new Response(null, { status: number('status') });
    case '/slow':
      await sleep(number('ms'));
      return new Response('slow');
    case '/held':
      await released.promise;
      return new Response('held');
    case '/late':
      await sleep(number('ms'));
      return show(request).catch(toResponse);
    case '/late-stream':
      await sleep(number('ms'));
      return new Response(endless(10));
    case '/busy':
      print({ busy: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, number('ms'));
      return new Response('busy');
    case '/hang':
      print({ hanging: true });
      return new Promise(() => {});
    case '/whole':
      return whole(request);
    case '/split':
      return new Response('', { headers: { 'x-a': searchParams.get('value') ?? '' } });
    case '/throw':
      throw new Error('a defect');
    case '/pieces':
      return new Response(pieces(number('count')));
    case '/failing':
      return new Response(failing());
    case '/endless': {
      server?.limitTime(request, number('seconds'));
      return new Response(endless(number('size')));
    }
    default:
      return show(request).catch(toResponse);
  }
};

/** What `/pending` tells of. */
const kept: Request[] = [];

const released = Promise.withResolvers<void>();

let server: Awaited<ReturnType<typeof listen>> | undefined;

const run = async (command: ServerCommand): Promise<void> => {
  if ('stop' in command) {
    await server?.stop(command.stop);
    print({ stopped: true });
  } else if ('release' in command) released.resolve();
  else {
    server = await listen({ ...command.listen, log: createLog('silent'), fetch: respond });
    print({ url: server.url });
  }
};

for await (const line of createInterface({ input: process.stdin }))
  void run(JSON.parse(line)).catch((error) => print({ failed: `${error.message}` }));
