/**
 * Validates every response of the service against the document and the lesson: its status, its headers, its media type and its body. `createTestApp`
 * uses it for each response of every test.
 */

import type { Config } from '../../../src/config/config.ts';
import { mapValues } from '../../../src/document/parts.ts';
import { isStream } from '../streams/event-stream.ts';
import {
  type Content,
  type Described,
  type DocumentedHeader,
  fits,
  judge,
  limited,
  normal,
  pathOf,
} from './document.ts';
import { conformToLesson } from './lesson.ts';

/** The headers that HTTP or a proxy may add to any response, and those of CORS where it is on. */
const common = /^(content-type|vary|access-control-.*)$/;

/** Also the header of a response that the client prefers, which only the demo has. */
const ofPreference = new RegExp(`${common.source}|^preference-applied$`);

/** Every status that a document has, as `operationId status`. */
export const statusesOf = ({ operations }: Described): string[] =>
  operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  );

/** The document of a service with this configuration. */
export const documentOf = ({ rateLimit }: Pick<Config, 'rateLimit'>): Described => (rateLimit ? limited : normal);

/** Throws with the reason if the response does not match the document. Returns `operationId status`, if it has one. */
export const conform = async (
  request: Request,
  response: Response,
  { operations, resolve }: Described = normal,
): Promise<string | undefined> => {
  const path = pathOf(new URL(request.url).pathname);
  const method = request.method.toLowerCase();
  const operation = operations.find((one) => one.path === path && one.method === method);
  // The document does not describe its own pages, unknown paths and methods, and HEAD and OPTIONS.
  if (!operation) return undefined;
  const { status } = response;
  const name = `${operation.operationId} ${status}`;
  const expected = operation.responses[status];
  if (!expected) throw new Error(`${name} is not in the document`);
  const { headers = {}, content = {} } = resolve(expected);
  await checkHeaders(
    name,
    mapValues(headers, resolve),
    response.headers,
    request.headers.has('prefer') ? ofPreference : common,
  );

  const given = response.headers.get('content-type') ?? '';
  const mediaTypes = Object.keys(content);
  // A text also has the version of its format.
  const contentType = mediaTypes.find(
    (type) => given === type || (type === 'text/plain' && given.startsWith(`${type}; `)),
  );
  if (contentType === undefined && (given !== '' || mediaTypes.length > 0))
    throw new Error(`${name} is not ${mediaTypes.join(' or ')}`);
  // It has no end. `readFrames` validates its events against the document.
  if (isStream(response)) return name;
  const text = await response.clone().text();
  await checkBody(name, contentType === undefined ? undefined : content[contentType], text, { contentType, status });
  await conformToLesson({ method, path: operation.path, status, headers: response.headers, body: text });
  return name;
};

const checkBody = async (
  name: string,
  expected: Content | undefined,
  text: string,
  { contentType, status }: { readonly contentType: string | undefined; readonly status: number },
): Promise<void> => {
  if (!expected) {
    if (text !== '') throw new Error(`${name} has a body`);
    return;
  }
  const body = contentType === 'application/json' ? JSON.parse(text) : text;
  const output = await judge(expected.schema, body);
  if (!output.valid) throw new Error(`${name} does not fit its schema: ${text} ${JSON.stringify(output)}`);
  if (status >= 400 && !numbersOf(expected).has(body.error)) throw new Error(`${name} cannot be ${body.error}`);
};

/** The `error` numbers that a response may have: each has an example there. */
const numbersOf = ({ examples = {} }: Content): Set<unknown> =>
  new Set(Object.values(examples).map(({ value }) => value['error']));

const checkHeaders = async (
  name: string,
  headers: Readonly<Record<string, DocumentedHeader>>,
  actual: Headers,
  others: RegExp,
): Promise<void> => {
  for (const [header, { required, schema }] of Object.entries(headers)) {
    const value = actual.get(header);
    if (value === null) {
      if (required) throw new Error(`${name} lacks ${header}`);
      continue;
    }
    // A header is text, whatever its type.
    const isAsTold = await fits(schema, schema.type === 'integer' ? Number(value) : value);
    if (!isAsTold) throw new Error(`${name} has another ${header} than the document says: ${value}`);
  }
  const known = new Set(Object.keys(headers).map((header) => header.toLowerCase()));
  for (const header of actual.keys()) {
    if (!known.has(header) && !others.test(header))
      throw new Error(`${name} has ${header}, which is not in the document`);
  }
};
