/**
 * Creates and reads a plant whose id is beyond 2⁵³, uploads and downloads its picture, and verifies the webhook about it.
 * Runs on Bun (`bun client.ts`) and on Node.js 22.18 or later (`node client.ts`).
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const { PLANT_STORE_URL: url = 'http://127.0.0.1:3000' } = process.env;
const { PLANT_STORE_TOKEN: token = 'plant_ThisTokenIsPublicUseItForTests0JVZRz' } = process.env;
const timeoutMs = 10_000;

/** 2⁵³ + 1. As a number it would be 2⁵³, so it is a BigInt, and written to JSON as text. */
const id = 9007199254740993n;
const newPlant = `{"id":${id},"name":"Fern"}`;

/** `JSON.parse` rounds a long number before it returns, so the id is read from the source text. */
const readId = (json: string): bigint =>
  JSON.parse(json, (name, value, context?: { source: string }) =>
    name === 'id' && context ? BigInt(context.source) : value,
  ).id;

type Body = string | Uint8Array<ArrayBuffer> | null;

const send = (method: string, path: string, body: Body = null, type = 'application/json'): Promise<Response> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  return fetch(url + path, { method, headers, body, signal: AbortSignal.timeout(timeoutMs) });
};

const received = Promise.withResolvers<{ headers: Record<string, string>; body: string }>();
const receiver = createServer(async (request, response) => {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, `${value}`]);
  received.resolve({ headers: Object.fromEntries(headers), body: await text(request) });
  response.writeHead(204).end();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const address = receiver.address();
assert(address !== null && typeof address === 'object');

// An interrupted run may have left the plant. Creating it again would cause no event.
await send('DELETE', `/plants/${id}`);
const target = { url: `http://127.0.0.1:${address.port}/`, events: ['plant.created'] };
const registration = await send('POST', '/webhooks', JSON.stringify(target));
assert.equal(registration.status, 201, 'the webhook was not created');
const webhook: { id: string; secret: string } = JSON.parse(await registration.text());

try {
  const creation = await send('POST', '/plants', newPlant);
  assert.equal(creation.status, 200, 'the plant was not created');
  assert.equal(creation.headers.get('location'), `plants/${id}`, 'the id was rounded on its way to the server');
  const reading = await send('GET', `/plants/${id}`);
  assert.equal(readId(await reading.text()), id, 'the id was rounded on its way to the client');
  console.log(`Plant ${id} was created and read.`);

  const picture = await readFile(new URL('../leaf.png', import.meta.url));
  const upload = await send('PUT', `/plants/${id}/picture`, picture, 'image/png');
  assert.equal(upload.status, 201, 'the picture was not uploaded');
  const download = await send('GET', `/plants/${id}/picture`);
  assert(picture.equals(await download.bytes()), 'the picture was changed on its way');
  console.log('Its picture was uploaded and downloaded.');

  setTimeout(() => received.reject(new Error('No webhook arrived within 10 s.')), timeoutMs).unref();
  const { headers, body } = await received.promise;
  const verifier = new Webhook(webhook.secret);
  verifier.verify(body, headers, { jsonParse: false });
  assert.equal(readId(body), id, 'the webhook is about another plant');
  console.log(`Webhook message ${headers['webhook-id']} was verified.`);
  assert.throws(() => verifier.verify(body.replace('Fern', 'Weed'), headers), WebhookVerificationError);
  console.log('A copy with another name was refused.');
} finally {
  await send('DELETE', `/webhooks/${webhook.id}`);
  await send('DELETE', `/plants/${id}`);
  receiver.close();
}
