/** A server that follows our document: it answers each operation with the first example of its first response. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Sent } from '../../map/abilities/test.ts';
import type { Recorded } from '../../map/recorder.ts';
import { membersOf, refused } from '../shared/body.ts';

interface Operation {
  readonly operationId: string;
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly examples: Readonly<Record<string, { value: unknown }>> }>>;
}

const { paths }: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> } = parse(
  readFileSync(join(import.meta.dir, '../../../openapi/openapi.yaml'), 'utf8'),
);

const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, { responses }]) => responses !== undefined)
    .map(([method, operation]) => ({
      ...operation,
      isIn: (request: Recorded) =>
        request.method === method.toUpperCase() &&
        new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`).test(request.target),
    })),
);

export const requestOf = (operationId: string): Sent => ({
  check: `a request of ${operationId}`,
  expected: operationId,
  request: (request) => operations.some((one) => one.operationId === operationId && one.isIn(request)),
});

export const follow = (request: Recorded): Response => {
  const operation = operations.find(({ isIn }) => isIn(request));
  if (operation === undefined) return new Response(null, { status: 404 });
  if (operation.requestBody && membersOf(request.body) === undefined) return refused();
  const [[status, { content = {} }] = ['204', {}]] = Object.entries(operation.responses);
  const [[contentType, { examples }] = ['', { examples: {} }]] = Object.entries(content);
  const [value] = Object.values(examples).map((example) => example.value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return new Response(status === '204' ? null : text, {
    status: Number(status),
    headers: { ...headers, ...(contentType && { 'content-type': contentType }) },
  });
};

const headers = {
  'cache-control': 'no-store',
  etag: '"0000000000000000"',
  location: '/plants/1',
  'x-request-id': 'one',
};
