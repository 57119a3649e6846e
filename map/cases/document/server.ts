/** A server that follows our document: it answers each operation with the first example of its first response. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Sent } from '../../measure/abilities/test.ts';
import type { Recorded } from '../../measure/recorder.ts';
import { membersOf } from '../shared/body.ts';

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, { value: unknown }>> }>>;
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
  const isJson = 'application/json' in (operation.requestBody?.content ?? {});
  const isWrong = isJson && membersOf(request.body) === undefined;
  const isKnown = operation.responses['304'] !== undefined && request.headers['if-none-match'] !== undefined;
  const [first = '204'] = Object.keys(operation.responses);
  return answerOf(operation, isWrong ? '400' : isKnown ? '304' : first, request.headers['accept']);
};

const answerOf = ({ operationId, responses }: Operation, status: string, accept = ''): Response => {
  const contents = Object.entries(responses[status]?.content ?? {});
  const accepted = contents.find(([type]) => accept.startsWith(type)) ?? contents[0];
  const [contentType, { examples = {} }] = accepted ?? ['', {}];
  // A picture has no example, since JSON has no bytes.
  const [value = contentType && 'picture'] = Object.values(examples).map((example) => example.value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return new Response(status === '204' ? null : text, {
    status: Number(status),
    headers: {
      ...headers,
      ...(operationId === 'getPicture' && ofPictures),
      ...(contentType && { 'content-type': contentType }),
    },
  });
};

const headers = {
  'cache-control': 'no-store',
  etag: '"0000000000000000"',
  location: 'plants/1',
  'x-request-id': 'one',
};

const ofPictures = {
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'none',
  'content-disposition': 'inline; filename="plant-1.png"',
};
