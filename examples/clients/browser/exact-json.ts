/**
 * The lines that every client in a browser needs. An id has 64 bits, and `JSON.parse` would round it to another plant's. Here an id is text: the
 * digits that were received. Copy this file, and give `exactFetch` to the client as its `fetch`.
 */
const int64Members = ['id', 'sequence'];

/** In a browser from before 2025, which lacks `context.source`, it throws and does not round. */
export const readExact = (json: string) =>
  JSON.parse(json, (name, value, context?: { source: string }) =>
    int64Members.includes(name) && typeof value === 'number' ? (context as { source: string }).source : value,
  );

export const writeExact = (body: unknown): string =>
  JSON.stringify(body, (name, value) =>
    int64Members.includes(name) && /^-?\d+$/.test(value) ? JSON.rawJSON(value) : value,
  );

/** `fetch`, with the ids in bodies of JSON as text, in both directions. The client calls `JSON.stringify` and `JSON.parse` as before. */
export const exactFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const sent = await request.clone().text();
  const response = await fetch(
    sent && isJson(request) ? new Request(request, { body: writeExact(JSON.parse(sent)) }) : request,
  );
  const received = isJson(response) ? await response.clone().text() : '';
  if (received === '') return response;
  const exact = new Response(JSON.stringify(readExact(received)), response);
  return Object.defineProperty(exact, 'url', { value: response.url });
};

const isJson = ({ headers }: Request | Response): boolean =>
  /^application\/(merge-patch\+)?json\b/.test(headers.get('content-type') ?? '');

/** Browsers have it (https://tc39.es/proposal-json-parse-with-source/), and TypeScript's library does not yet. */
declare global {
  interface JSON {
    rawJSON(text: string): { readonly rawJSON: string };
  }
}
