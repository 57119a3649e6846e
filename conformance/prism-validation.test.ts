/** Prism as a proxy of a service with given responses, which it accepts or refuses as described in FEATURES.md. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Prism, startPrism } from './prism.ts';

const time = '2026-01-01T00:00:00.000Z';
const plant = { id: 1, name: 'n', createdAt: time, updatedAt: time };
const event = { eventId: 'evt_1_0000000000000000', sequence: 1, timestamp: time, id: 1, name: 'n' };
const created = { ...event, type: 'plant.created' };
const error = { error: 40400, message: 'm' };

let reply: { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> };
const service = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () =>
    new Response(JSON.stringify(reply.body), {
      status: reply.status,
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'r',
        etag: '"0000000000000000"',
        'cache-control': 'no-store',
        ...reply.headers,
      },
    }),
});

let prism: Prism;
beforeAll(async () => {
  prism = await startPrism(join(import.meta.dir, '../openapi/openapi.yaml'), service.url.origin);
}, 60_000);
afterAll(async () => {
  prism[Symbol.dispose]();
  await service.stop(true);
});

const authorization = 'Bearer t';

test.each([
  ['unevaluatedProperties', '/plants/1', 200, plant, { ...plant, colour: 'green' }],
  ['an annotated enumeration', '/plants/1', 404, error, { ...error, error: 40499 }],
  ['a oneOf of const with a discriminator', '/events', 200, [created], [{ ...event, type: 'plant.watered' }]],
])(
  'Prism refuses a response that does not match %s, and accepts one that does',
  async (_what, path, status, right, wrong) => {
    const statusOf = async (body: unknown): Promise<number> => {
      reply = { status, body };
      return (await fetch(prism.url + path, { headers: { authorization } })).status;
    };
    expect(await statusOf(right)).toBe(status);
    expect(await statusOf(wrong)).toBe(500);
  },
);

test('Prism accepts null where a type array has it, and refuses a number', async () => {
  const change = async (body: string): Promise<number> => {
    const headers = { authorization, 'content-type': 'application/merge-patch+json' };
    return (await fetch(`${prism.url}/plants/1`, { method: 'PATCH', headers, body })).status;
  };
  reply = { status: 200, body: plant };
  expect(await change('{"tag":null}')).toBe(200);
  expect(await change('{"tag":5}')).toBe(422);
});

test('Prism refuses a response whose header does not match the component that describes it', async () => {
  reply = { status: 200, body: plant, headers: { etag: '"short"' } };
  expect((await fetch(`${prism.url}/plants/1`, { headers: { authorization } })).status).toBe(500);
});
