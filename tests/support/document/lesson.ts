/** The lesson document, and whether a response is one that it describes. */
import { parse } from 'yaml';
import { namesIn } from '../../../src/base/json-pointer.ts';
import { read } from '../project/imports.ts';
import { createJudge } from './judge.ts';

/** As a reader has it. */
export const lesson = parse(read('openapi/lesson.yaml'));

const { judge, fits } = createJudge(lesson, 'https://plant-store.test/lesson.yaml');

interface Answer {
  readonly method: string;
  /** As in the document. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/**
 * Throws if the lesson has the operation, and describes no such response. It is about a service without a rate limit, and without conditional
 * requests, which get 304.
 */
export const conformToLesson = async ({ method, path, status, headers, body }: Answer): Promise<void> => {
  const operation = lesson.paths[path]?.[method];
  if (operation === undefined || status === 304 || status === 429) return;
  const name = `${operation.operationId} ${status}`;
  const described = operation.responses[status] ?? operation.responses[`${Math.floor(status / 100)}XX`];
  if (described === undefined) throw new Error(`${name} is not in the lesson.`);
  const { headers: named = {}, content } = resolve(described);
  await checkHeaders(name, named, headers);
  const { schema } = content?.['application/json'] ?? {};
  if (schema === undefined && body !== '') throw new Error(`${name} has a body, which the lesson does not describe.`);
  if (schema === undefined) return;
  const output = await judge(schema, JSON.parse(body));
  if (!output.valid) throw new Error(`${name} does not match the lesson: ${body} ${JSON.stringify(output)}`);
};

interface Header {
  readonly required?: boolean;
  readonly schema: object;
}

const checkHeaders = async (
  name: string,
  described: Readonly<Record<string, Header>>,
  actual: Headers,
): Promise<void> => {
  for (const [header, reference] of Object.entries(described)) {
    const { required = false, schema } = resolve(reference);
    const value = actual.get(header);
    if (value === null ? required : !(await fits(schema, value)))
      throw new Error(`${name} has another ${header} than the lesson says: ${value}`);
  }
};

/** The target of a reference, or the value itself. */
const resolve = <Node extends object>(node: Node): Node =>
  '$ref' in node ? namesIn(`${node.$ref}`).reduce((parent, name) => parent[name], lesson) : node;
