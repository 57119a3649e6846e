/** A client by Eden, with the types of the app, which keeps integers exact. docs/elysia.md explains it. */
import { type Treaty, treaty } from '@elysiajs/eden';
import { int64ToJson } from '../../src/base/int64.ts';
import type { App } from '../../src/http/app.ts';

/** For the service at this URL, or for the app alone. */
export const createClient = (target: string | App, token: string) => {
  const config: Treaty.Config = {
    headers: { authorization: `Bearer ${token}` },
    // Times are text in the document, so the types say text.
    parseDate: false,
    // Eden would round an integer beyond 2^53. It reads the other responses.
    onResponse: async (response) => (response.ok && isJson(response) ? parse(await response.text()) : undefined),
  };
  return typeof target === 'string' ? treaty<App>(target, config) : treaty(target, config);
};

const isJson = ({ headers }: Response): boolean => headers.get('content-type') === 'application/json';

/** The members of the format int64 as BigInt, as in the types. */
const parse = (text: string): unknown =>
  JSON.parse(text, (name, value, context?: { source: string }) =>
    context && typeof value === 'number' && ['id', 'sequence'].includes(name) ? BigInt(context.source) : value,
  );

/** A body that `JSON.stringify` writes exactly, instead of refusing its BigInts. */
export const exact = <Body extends object>(body: Body): Body =>
  Object.assign(
    { ...body },
    Object.fromEntries(Object.entries(body).flatMap(([k, v]) => (typeof v === 'bigint' ? [[k, int64ToJson(v)]] : []))),
  );
