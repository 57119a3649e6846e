import { expect, test } from 'bun:test';
import { readerToken } from '../../src/tokens/sample.ts';
import { webhook } from '../../src/webhooks/sample.ts';
import { asJson, createTestApp, errorOf, jsonOf } from '../support/app/app.ts';
import { startTestDemo, type TestDemo } from '../support/app/demo.ts';
import { document } from '../support/document/document.ts';
import { asStream, readFrames } from '../support/streams/event-stream.ts';

const reset = '/__demo/reset';
const url = 'https://receiver.example.com/';

/** All data that the API returns. */
const showAll = async ({ send }: TestDemo): Promise<string> => {
  const paths = ['/plants', '/events', '/webhooks', `/webhooks/${webhook.id}/deliveries`, '/token'];
  const shown: string[] = [];
  for (const path of paths) shown.push(await (await send('GET', path)).text());
  return shown.join('\n');
};

const change = async ({ send }: TestDemo): Promise<readonly string[]> => {
  const of = `/webhooks/${webhook.id}`;
  const [delivery] = await jsonOf(await send('GET', `${of}/deliveries`));
  const changes: [string, string, string?][] = [
    ['POST', '/plants', '{"id":5,"name":"Palm"}'],
    ['PATCH', '/plants/1', '{"tag":null}'],
    ['DELETE', '/plants/2'],
    ['POST', '/webhooks', JSON.stringify({ url })],
    ['POST', `${of}/rotate`],
    ['POST', `${of}/test`],
    ['POST', `${of}/deliveries/${delivery.id}/redeliver`],
    ['GET', '/events'],
    ['DELETE', of],
  ];
  const answers: string[] = [];
  for (const [method, path, body] of changes) {
    const response = await send(method, path, { headers: asJson, ...(body !== undefined && { body }) });
    answers.push(`${response.status} ${response.headers.get('etag')} ${await response.text()}`);
  }
  return answers;
};

test('a reset restores everything, and repeated changes get the same ids, secrets and times again', async () => {
  await using demo = await startTestDemo();
  await using other = await startTestDemo();
  const before = await showAll(demo);
  const answers = await change(demo);
  expect(await change(other)).toEqual([...answers]);
  for (let count = 0; count < 3; count += 1) {
    await demo.reset();
    expect(await showAll(demo)).toBe(before);
    expect(await change(demo)).toEqual([...answers]);
  }
});

test('a reset ends the streams cleanly', async () => {
  await using demo = await startTestDemo();
  const stream = readFrames(await demo.send('GET', '/events', { headers: asStream }));
  await stream.comments(1);
  await demo.reset();
  expect(await stream.end()).toEqual([]);
});

test('a request that is in progress during a reset gets a response, and changes nothing after the reset', async () => {
  await using demo = await startTestDemo();
  const before = await showAll(demo);
  const body = new TransformStream();
  const answer = demo.send('POST', '/plants', { headers: asJson, body: body.readable });
  const writer = body.writable.getWriter();
  void writer.write(new TextEncoder().encode('{"id":7,'));
  // If it did not wait for the request, the first service would have stopped by the last of these.
  for (let count = 0; count < 5; count += 1) await demo.reset();
  void writer.write(new TextEncoder().encode('"name":"n"}'));
  void writer.close();
  expect((await answer).status).toBe(200);
  expect(await showAll(demo)).toBe(before);
});

test('a hundred concurrent resets, with writes between them, restore everything', async () => {
  await using demo = await startTestDemo();
  const before = await showAll(demo);
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const body = `{"id":${index + 10},"name":"n"}`;
      const [write, reset] = await Promise.all([
        demo.send('POST', '/plants', { headers: asJson, body }),
        demo.send('POST', '/__demo/reset'),
      ]);
      return [write.status, reset.status];
    }),
  );
  expect(new Set(statuses.map(String))).toEqual(new Set(['200,204']));
  expect(await showAll(demo)).toBe(before);
});

test('a reset requires a valid token with any scopes, and every method except POST is refused', async () => {
  await using demo = await startTestDemo();
  const { send } = demo;
  expect(await errorOf(await send('POST', reset, { headers: { authorization: '' } }))).toBe(40100);
  expect(await errorOf(await send('POST', reset, { headers: { authorization: 'Bearer x' } }))).toBe(40101);
  expect((await send('POST', reset, { headers: { authorization: `Bearer ${readerToken}` } })).status).toBe(204);
  const refused = await send('GET', reset);
  expect([refused.headers.get('allow'), await errorOf(refused)]).toEqual(['OPTIONS, POST', 40500]);
});

test('the reset exists only with --demo, and no document contains it', async () => {
  const app = await createTestApp();
  expect(await errorOf(await app.send('POST', reset))).toBe(40401);
  await using demo = await startTestDemo();
  for (const path of ['/openapi.json', '/openapi-3.0.json', '/openapi-3.2.json', '/openapi.yaml'])
    expect(await (await demo.send('GET', path)).text()).not.toContain('__demo');
  const served = await jsonOf(await demo.send('GET', '/openapi.json'));
  expect(served).toEqual(document);
});

test('while a stop waits for requests, the demo responds to them and is not ready', async () => {
  const demo = await startTestDemo();
  const stream = readFrames(await demo.send('GET', '/events', { headers: asStream }));
  const answered = Promise.withResolvers<void>();
  const stopped = demo.stop(answered.promise);
  expect(await stream.end()).toEqual([]);
  expect((await demo.send('GET', '/readyz')).status).toBe(503);
  // A demo that does not wait would stop within these turns of the event loop.
  for (let count = 0; count < 50; count += 1) {
    expect((await demo.send('GET', '/plants/1')).status).toBe(200);
    await Bun.sleep(0);
  }
  await demo.reset();
  expect((await demo.send('GET', '/plants/1')).status).toBe(200);
  answered.resolve();
  await stopped;
});
