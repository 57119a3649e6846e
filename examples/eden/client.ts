/** A typed client of Plant Store by Eden. Copy this file: with it, the 64-bit integers of plants and events are exact. */
import { type Treaty, treaty } from '@elysiajs/eden';
import type { App } from 'plant-store/app';

export const createClient = (url: string, token: string) => treaty<App>(url, optionsFor(token));

export const optionsFor = (token: string): Treaty.Config => ({
  headers: { authorization: `Bearer ${token}` },
  // Times are text in the document, so the types say text.
  parseDate: false,
  // Eden would round an integer beyond 2^53. It reads the other responses.
  onResponse: async (response) => (response.ok && isJson(response) ? parse(await response.text()) : undefined),
});

/** A body that `JSON.stringify` writes exactly, instead of refusing its BigInts. */
export const exact = <Body extends object>(body: Body): Body =>
  Object.assign(
    { ...body },
    Object.fromEntries(
      Object.entries(body).flatMap(([name, value]) =>
        typeof value === 'bigint' ? [[name, JSON.rawJSON(`${value}`)]] : [],
      ),
    ),
  );

/** The members of the format int64 in the document. */
export const int64Members: readonly string[] = ['id', 'sequence'];

const isJson = ({ headers }: Response): boolean => headers.get('content-type') === 'application/json';

/** Reads the members of the format int64 as BigInts, as in the types. */
const parse = (text: string): unknown =>
  JSON.parse(text, (name, value, context?: { source: string }) =>
    context && typeof value === 'number' && int64Members.includes(name) ? BigInt(context.source) : value,
  );

/** Runtimes have it (https://tc39.es/proposal-json-parse-with-source/), and TypeScript's library does not yet. */
declare global {
  interface JSON {
    rawJSON(text: string): { readonly rawJSON: string };
  }
}
