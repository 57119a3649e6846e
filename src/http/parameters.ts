/** Steps of a route that read the query and check the headers. */
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { AppError, invalidQuery, malformedQuery, repeatedParameter } from '../domain/error.ts';
import { isChecked, sentenceOf, type TObject } from './schema.ts';

/** Throws AppError `invalid_query` for an invalid header. */
export const checkHeaders = ({ properties }: TObject): ((context: { headers: RequestHeaders }) => void) => {
  const checked = Object.entries(properties).filter(([, schema]) => isChecked(schema));
  const rules = checked.map(([name, schema]) => ({
    name: name.toLowerCase(),
    compiled: TypeCompiler.Compile(schema),
    failure: invalidQuery(sentenceOf(schema)),
  }));
  return ({ headers }) => {
    for (const { name, compiled, failure } of rules) {
      const value = headers[name];
      if (value !== undefined && !compiled.Check(value.trim())) throw new AppError(failure);
    }
  };
};

/**
 * Reads the parameters of the schema instead of Elysia, which uses the last of a repeated parameter and accepts bytes that are not
 * UTF-8. `+` is a space, as in HTML forms. Other parameters are ignored. Throws AppError `invalid_query`.
 */
export const readQuery =
  ({ properties }: TObject) =>
  (context: { request: Request; query: unknown }): void => {
    context.query = parseQuery(context.request.url, properties);
  };

const parseQuery = (url: string, properties: object): Record<string, string> => {
  const query: Record<string, string> = {};
  const start = url.indexOf('?');
  if (start === -1) return query;
  for (const parameter of url.slice(start + 1).split('&')) {
    const equals = parameter.indexOf('=');
    const name = decode(equals === -1 ? parameter : parameter.slice(0, equals));
    if (!Object.hasOwn(properties, name)) continue;
    if (Object.hasOwn(query, name)) throw new AppError(repeatedParameter(name));
    query[name] = equals === -1 ? '' : decode(parameter.slice(equals + 1));
  }
  return query;
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new AppError(malformedQuery);
  }
};

/**
 * The headers of a request as Elysia has read them, by their names in lower case. Repeated headers are joined by `, `. A look-up
 * here costs less than in `request.headers`, which calls Bun each time.
 */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;
