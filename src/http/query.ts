import type { TObject } from '@sinclair/typebox';
import { AppError } from '../domain/error.ts';

/** A step of a route that reads the query for the parameters that the schema has, in the place of Elysia's own reader. */
export const readQueryOf =
  ({ properties }: TObject) =>
  (context: { request: Request; query: unknown }): void => {
    context.query = readQuery(context.request.url, Object.keys(properties));
  };

/**
 * Reads the parameters of these names from the query of a URL, strictly: Elysia's own parser lets the last of a repeated
 * parameter win and passes bytes that are not UTF-8. `+` is a space, as forms write it. Other parameters are ignored. Throws
 * AppError `invalid_query`.
 */
export const readQuery = (url: string, names: readonly string[]): Record<string, string> => {
  const query: Record<string, string> = {};
  const start = url.indexOf('?');
  if (start === -1) return query;
  for (const parameter of url.slice(start + 1).split('&')) {
    const equals = parameter.indexOf('=');
    const name = decode(equals === -1 ? parameter : parameter.slice(0, equals));
    if (!names.includes(name)) continue;
    if (Object.hasOwn(query, name)) throw new AppError('invalid_query', `The query parameter ${name} is given twice.`);
    query[name] = equals === -1 ? '' : decode(parameter.slice(equals + 1));
  }
  return query;
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new AppError('invalid_query', 'The query is not percent-encoded UTF-8.');
  }
};
