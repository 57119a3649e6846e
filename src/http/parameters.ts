/** Steps of a route that read the query and check the headers. */
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { AppError, type Failure, malformedQuery } from '../base/app-error.ts';
import { tryTo } from '../base/error.ts';
import { lazy } from '../base/lazy.ts';
import { type Fault, faultsIn, firstOfEach, invalidHeaders, invalidParameters, unknownParameter } from './faults.ts';
import { isChecked, ruleOf, type TObject } from './schema.ts';

/** Throws AppError `invalid_query` for an invalid header. */
export const checkHeaders = ({ properties }: TObject): ((context: { headers: RequestHeaders }) => void) => {
  const checked = Object.entries(properties).filter(([, schema]) => isChecked(schema));
  const rules = checked.map(([name, schema]) => ({
    key: name.toLowerCase(),
    compiled: lazy(() => TypeCompiler.Compile(schema)),
    fault: { name, rule: ruleOf(schema) },
  }));
  return ({ headers }) => {
    for (const { key, compiled, fault } of rules) {
      const value = headers[key];
      if (value !== undefined && !compiled().Check(value.trim())) throw new AppError(invalidHeaders(fault));
    }
  };
};

/**
 * Reads the parameters of the schema instead of Elysia, which uses the last of a repeated parameter and accepts bytes that are not
 * UTF-8. `+` is a space, as in HTML forms. Only an array can be repeated. Throws AppError `invalid_query`.
 */
export const readQuery = (schema: TObject) => {
  const isArrayByName = arraysIn(schema);
  return (context: { request: Request; query: unknown }): void => {
    const { values, faults } = valuesIn(context.request.url, isArrayByName);
    if (faults.length > 0) throw new AppError(queryFailure(context.request.url, schema));
    context.query = values;
  };
};

/** The failure of a query with a fault, which lists all its faults. */
export const queryFailure = (url: string, schema: TObject): Failure => {
  const { values, faults } = valuesIn(url, arraysIn(schema));
  const unknown = unknownIn(url, Object.keys(schema.properties));
  const [first, ...others] = firstOfEach([...faults, ...faultsIn(schema, values), ...unknown]);
  if (!first) throw new Error('The query has no fault.');
  return invalidParameters(first, ...others);
};

/** Throws AppError `invalid_query` for parameters that the operation does not have. A step of its own, since the path is checked before. */
export const rejectUnknownParameters =
  (known: readonly string[]) =>
  ({ request }: { request: Request }): void => {
    const [first, ...others] = unknownIn(request.url, known);
    if (first) throw new AppError(invalidParameters(first, ...others));
  };

const unknownIn = (url: string, known: readonly string[]): Fault[] => {
  if (!url.includes('?')) return [];
  const names = new Set(parametersIn(url).map(({ name }) => name));
  return [...names].filter((name) => !known.includes(name)).map((name) => unknownParameter(name, known));
};

/** Whether each parameter is an array, by its name. */
const arraysIn = ({ properties }: TObject): ReadonlyMap<string, boolean> =>
  new Map(Object.entries(properties).map(([name, { type }]) => [name, type === 'array']));

/** The known parameters, and the faults of those that are repeated or malformed. */
const valuesIn = (url: string, isArrayByName: ReadonlyMap<string, boolean>) => {
  const values: Record<string, string | readonly string[]> = {};
  const faults: Fault[] = [];
  for (const { name, value } of parametersIn(url)) {
    const isArray = isArrayByName.get(name);
    if (isArray === undefined) continue;
    const earlier = values[name];
    const decoded = decode(value);
    if (!isArray && earlier !== undefined) faults.push({ name, rule: 'must not be repeated' });
    else if (decoded === undefined) faults.push({ name, rule: 'must be percent-encoded UTF-8, without U+FFFD' });
    else values[name] = isArray ? [...(earlier ?? []), decoded] : decoded;
  }
  return { values, faults };
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
