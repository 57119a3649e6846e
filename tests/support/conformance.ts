/**
 * Holds every answer of the service to the document: its status, its headers, its media type and its body. `createTestApp` puts
 * each answer of every test through it.
 */
import { type Content, type DocumentedResponse, fits, judge, operations, pathOf, resolve } from './document.ts';
import { isStream } from './event-stream.ts';

/** What HTTP itself or a proxy may add to any answer, and what CORS adds where it is on. */
const common = /^(content-type|vary|access-control-.*)$/;

/** Every status that the document has, as `operationId status`. */
export const documented: readonly string[] = operations.flatMap(({ operationId, responses }) =>
  Object.keys(responses).map((status) => `${operationId} ${status}`),
);

/** Throws with the reason when the answer is not one that the document promises; returns `operationId status`, if it has one. */
export const conform = async (request: Request, response: Response): Promise<string | undefined> => {
  const path = pathOf(new URL(request.url).pathname);
  const method = request.method.toLowerCase();
  const operation = operations.find((one) => one.path === path && one.method === method);
  // Beside the document stand its own pages, unknown paths and methods, and HEAD and OPTIONS.
  if (!operation) return undefined;
  const { status } = response;
  const name = `${operation.operationId} ${status}`;
  const expected = operation.responses[status];
  if (!expected) throw new Error(`${name} is not in the document`);
  const { headers, content = {} } = resolve(expected);
  await checkHeaders(name, headers, response.headers);

  const given = response.headers.get('content-type') ?? '';
  const mediaTypes = Object.keys(content);
  // A text has the version of its format as well.
  const contentType = mediaTypes.find(
    (type) => given === type || (type === 'text/plain' && given.startsWith(`${type}; `)),
  );
  if (contentType === undefined && (given !== '' || mediaTypes.length > 0))
    throw new Error(`${name} is not ${mediaTypes.join(' or ')}`);
  // It has no end. `readFrames` holds its events to the document.
  if (isStream(response)) return name;
  const text = await response.clone().text();
  const expectedContent = contentType === undefined ? undefined : content[contentType];
  if (!expectedContent) {
    if (text !== '') throw new Error(`${name} has a body`);
    return name;
  }
  const body = contentType === 'application/json' ? JSON.parse(text) : text;
  const output = await judge(expectedContent.schema, body);
  if (!output.valid) throw new Error(`${name} does not fit its schema: ${text} ${JSON.stringify(output)}`);
  if (status >= 400 && !numbersOf(expectedContent).has(body.error)) throw new Error(`${name} cannot be ${body.error}`);
  return name;
};

/** The `error` numbers that a response may have: each has an example there. */
const numbersOf = ({ examples = {} }: Content): Set<unknown> =>
  new Set(Object.values(examples).map(({ value }) => value['error']));

const checkHeaders = async (
  name: string,
  headers: DocumentedResponse['headers'] = {},
  actual: Headers,
): Promise<void> => {
  for (const [header, reference] of Object.entries(headers)) {
    const { required, schema } = resolve(reference);
    const value = actual.get(header);
    if (value === null) {
      if (required) throw new Error(`${name} lacks ${header}`);
      continue;
    }
    // A header is text, whatever it means.
    const isAsTold = await fits(schema, schema.type === 'integer' ? Number(value) : value);
    if (!isAsTold) throw new Error(`${name} has another ${header} than the document says: ${value}`);
  }
  const known = new Set(Object.keys(headers).map((header) => header.toLowerCase()));
  for (const header of actual.keys()) {
    if (!known.has(header) && !common.test(header))
      throw new Error(`${name} has ${header}, which is not in the document`);
  }
};
