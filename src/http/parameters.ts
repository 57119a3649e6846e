/** Steps of a route that read the query and check the headers. */
import { TypeCompiler } from '@sinclair/typebox/compiler';
import {
  AppError,
  invalidQuery,
  malformedParameter,
  malformedQuery,
  repeatedParameter,
  unknownParameter,
} from '../base/app-error.ts';
import { tryTo } from '../base/error.ts';
import { lazy } from '../base/lazy.ts';
import { isChecked, messageOf, type TObject } from './schema.ts';

/** Throws AppError `invalid_query` for an invalid header. */
export const checkHeaders = ({ properties }: TObject): ((context: { headers: RequestHeaders }) => void) => {
  const checked = Object.entries(properties).filter(([, schema]) => isChecked(schema));
  const rules = checked.map(([name, schema]) => ({
    name: name.toLowerCase(),
    compiled: lazy(() => TypeCompiler.Compile(schema)),
    failure: invalidQuery(messageOf(schema)),
  }));
  return ({ headers }) => {
    for (const { name, compiled, failure } of rules) {
      const value = headers[name];
      if (value !== undefined && !compiled().Check(value.trim())) throw new AppError(failure);
    }
  };
};

/**
 * Reads the parameters of the schema instead of Elysia, which uses the last of a repeated parameter and accepts bytes that are not
 * UTF-8. `+` is a space, as in HTML forms. Only an array can be repeated. Throws AppError `invalid_query`.
 */
export const readQuery = ({ properties }: TObject) => {
  const isArrayByName = new Map(Object.entries(properties).map(([name, { type }]) => [name, type === 'array']));
  return (context: { request: Request; query: unknown }): void => {
    const query: Record<string, string | readonly string[]> = {};
    for (const { name, value } of parametersIn(context.request.url)) {
      const isArray = isArrayByName.get(name);
      if (isArray === undefined) continue;
      const earlier = query[name];
      if (!isArray && earlier !== undefined) throw new AppError(repeatedParameter(name));
      const decoded = decode(value);
      if (decoded === undefined) throw new AppError(malformedParameter(name));
      query[name] = isArray ? [...(earlier ?? []), decoded] : decoded;
    }
    context.query = query;
  };
};

/** Throws AppError `invalid_query` for a parameter that the operation does not have. A step of its own, since the path is checked before. */
export const rejectUnknownParameters =
  (known: readonly string[]) =>
  ({ request }: { request: Request }): void => {
    for (const { name } of parametersIn(request.url))
      if (!known.includes(name)) throw new AppError(unknownParameter(name, known));
  };

/** The parameters of a query, with their values as they are in the URL. */
const parametersIn = (url: string): { readonly name: string; readonly value: string }[] => {
  const parameters = [];
  let end = url.indexOf('?');
  while (end !== -1) {
    const start = end + 1;
    end = url.indexOf('&', start);
    const piece = url.slice(start, end === -1 ? undefined : end);
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const name = decode(equals === -1 ? piece : piece.slice(0, equals));
    if (name === undefined) throw new AppError(malformedQuery);
    parameters.push({
      name,
      value: equals === -1 ? '' : piece.slice(equals + 1),
    });
  }
  return parameters;
};

/** Undefined for bytes that are not UTF-8. Bun has U+FFFD in the URL for each of them that a client sends without encoding. */
const decode = (text: string): string | undefined => {
  // Most texts need no decoding, which takes ten times as long.
  if (!/[%+]/.test(text)) return text;
  const decoded = tryTo(() => decodeURIComponent(text.replaceAll('+', ' ')));
  return decoded?.includes('\ufffd') ? undefined : decoded;
};

/**
 * The headers of a request as Elysia has read them, by their names in lower case. Repeated headers are joined by `, `. A look-up
 * here costs less than in `request.headers`, which calls Bun each time.
 */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;
