/** The inbox of a demo without a socket. `conformance/inbox.test.ts` has its page in a browser, `serve.test.ts` the whole program. */
import { expect, test } from 'bun:test';
import { bodyBytesMax } from '../../../src/base/app-error.ts';
import { sign } from '../../../src/base/signature.ts';
import type { Change } from '../../../src/demo/inbox/messages.ts';
import { pagesMax } from '../../../src/demo/inbox/stream.ts';
import { asJson, errorOf, jsonOf } from '../../support/app/app.ts';
import { startTestDemo, type TestDemo } from '../../support/app/demo.ts';
import { asStream } from '../../support/streams/event-stream.ts';

const inboxUrl = 'http://127.0.0.1:3000/inbox/plants';
/** Without the token that a test demo adds. */
const anonymous = { authorization: '' };

/** The changes that a page gets. */
const follow = async (demo: TestDemo) => {
  const response = await demo.sendUnchecked('GET', '/inbox', { headers: { ...anonymous, ...asStream } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return {
    response,
    next: async (): Promise<Change> => {
      const { value = '' } = (await reader?.read()) ?? {};
      return JSON.parse(value.replace(/^data: /, ''));
    },
    isEnded: async (): Promise<boolean> => (await reader?.read())?.done ?? false,
    close: async (): Promise<void> => reader?.cancel(),
  };
};

const post = (demo: TestDemo, body: string, headers: Record<string, string> = {}, name = 'plants') =>
  demo.sendUnchecked('POST', `/inbox/${name}`, { headers: { ...anonymous, ...headers }, body });

/** A webhook with the URL of the inbox, and the headers of a message that it has signed. */
const addWebhook = async (demo: TestDemo) => {
  const created = await demo.send('POST', '/webhooks', { headers: asJson, body: JSON.stringify({ url: inboxUrl }) });
  expect(created.status).toBe(201);
  const { id, secret } = await jsonOf(created);
  const timestamp = Math.floor(Date.now() / 1000);
  const signed = (body: string) => ({
    'webhook-id': 'evt_9',
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': sign([secret], { id: 'evt_9', timestamp, body }),
  });
  return { id, secret, signed };
};

test('a message is verified with the secret of the webhook that has its URL, and no page gets the secret', async () => {
  await using demo = await startTestDemo();
  const { id, secret, signed } = await addWebhook(demo);
  expect((await post(demo, '{"a":1}', signed('{"a":1}'))).status).toBe(204);
  expect((await post(demo, '{"a":2}', signed('{"a":1}'))).status).toBe(204);
  expect((await post(demo, '{"a":1}', signed('{"a":1}'), 'other')).status).toBe(204);
  const page = await follow(demo);
  const change = await page.next();
  expect(change.messages.map(({ name, body, verdict }) => [name, body, verdict])).toEqual([
    ['plants', '{"a":1}', { webhookId: id }],
    ['plants', '{"a":2}', { reason: 'No matching signature found.' }],
    ['other', '{"a":1}', { reason: 'No webhook has this URL, so its secret is not known.' }],
  ]);
  expect(JSON.stringify(change)).not.toContain(secret);
  await page.close();
});

test('every open page gets each message and each switch, and a new one gets all', async () => {
  await using demo = await startTestDemo();
  const pages = [await follow(demo), await follow(demo)];
  for (const page of pages) expect(await page.next()).toEqual({ names: [], kept: [], messages: [] });
  await post(demo, 'hello');
  for (const page of pages)
    expect(await page.next()).toMatchObject({ kept: [1], messages: [{ body: 'hello', answer: '204' }] });
  await demo.sendUnchecked('PUT', '/inbox/plants?answer=410', { headers: anonymous });
  for (const page of pages)
    expect(await page.next()).toEqual({ names: [{ name: 'plants', answer: '410' }], kept: [1], messages: [] });
  const later = await follow(demo);
  expect(await later.next()).toMatchObject({ kept: [1], messages: [{ body: 'hello' }] });
  await demo.sendUnchecked('DELETE', '/inbox/plants', { headers: anonymous });
  for (const page of [...pages, later]) {
    expect(await page.next()).toEqual({ names: [], kept: [], messages: [] });
    await page.close();
  }
});

test('the switch sets the answer to the messages of its name', async () => {
  await using demo = await startTestDemo();
  for (const answer of ['500', '410', '204']) {
    const set = await demo.sendUnchecked('PUT', `/inbox/plants?answer=${answer}`, { headers: anonymous });
    expect(set.status).toBe(204);
    expect((await post(demo, '')).status).toBe(Number(answer));
    expect((await post(demo, '', {}, 'other')).status).toBe(204);
  }
  for (const query of ['', '?answer=', '?answer=200', '?answer=__proto__'])
    expect(await errorOf(await demo.sendUnchecked('PUT', `/inbox/plants${query}`, { headers: anonymous }))).toBe(40002);
});

test('a slow answer waits until its client goes away, or the demo stops', async () => {
  const demo = await startTestDemo();
  await demo.sendUnchecked('PUT', '/inbox/plants?answer=slow', { headers: anonymous });
  const page = await follow(demo);
  await page.next();
  let isAnswered = false;
  const waiting = post(demo, 'slow').then((response) => {
    isAnswered = true;
    return response.status;
  });
  expect((await page.next()).messages).toMatchObject([{ body: 'slow', answer: 'slow' }]);
  expect((await post(demo, 'quick', {}, 'other')).status).toBe(204);
  await page.next();
  expect(isAnswered).toBe(false);
  await demo[Symbol.asyncDispose]();
  expect(await waiting).toBe(204);
  expect(await page.isEnded()).toBe(true);
});

test('a reset removes the messages, and ends the streams of pages', async () => {
  await using demo = await startTestDemo();
  await post(demo, 'before');
  const page = await follow(demo);
  await page.next();
  await demo.reset();
  expect(await page.isEnded()).toBe(true);
  const later = await follow(demo);
  expect(await later.next()).toEqual({ names: [], kept: [], messages: [] });
  await later.close();
});

test('headers that can be secrets of a client are not kept', async () => {
  await using demo = await startTestDemo();
  await post(demo, 'x', { authorization: 'Bearer hunter2', cookie: 'a=hunter2', 'x-other': 'kept' });
  const page = await follow(demo);
  const text = JSON.stringify(await page.next());
  expect(text).toContain('kept');
  expect(text).not.toContain('hunter2');
  await page.close();
});

test('a body may have 64 KiB, and a name 40 characters', async () => {
  await using demo = await startTestDemo();
  expect((await post(demo, 'x'.repeat(bodyBytesMax), {}, 'a'.repeat(40))).status).toBe(204);
  expect(await errorOf(await post(demo, 'x'.repeat(bodyBytesMax + 1)))).toBe(41300);
  for (const name of ['a'.repeat(41), 'a.b', 'a%2fb', '%00', 'é'])
    expect([name, await errorOf(await post(demo, '', {}, name))]).toEqual([name, 40401]);
});

test('there is a maximum of open pages, and one that is closed makes room', async () => {
  await using demo = await startTestDemo();
  const pages = await Promise.all(Array.from({ length: pagesMax }, () => follow(demo)));
  const { response } = await follow(demo);
  expect(response.status).toBe(503);
  await pages[0]?.close();
  const again = await follow(demo);
  expect(again.response.status).toBe(200);
  for (const page of [...pages.slice(1), again]) await page.close();
});

test('the inbox answers HEAD, OPTIONS and other methods as every path does', async () => {
  await using demo = await startTestDemo();
  const send = (method: string, path: string, headers = {}) =>
    demo.sendUnchecked(method, path, { headers: { ...anonymous, ...headers } });
  for (let count = 0; count <= pagesMax; count += 1)
    expect((await send('HEAD', '/inbox', asStream)).headers.get('content-type')).toBe('text/event-stream');
  expect((await send('OPTIONS', '/inbox/plants')).headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, POST, PUT');
  expect(await errorOf(await send('PATCH', '/inbox/plants'))).toBe(40500);
  const opened = await send('GET', '/inbox/plants');
  expect([opened.status, opened.headers.get('location')]).toEqual([302, '../inbox#plants']);
});

test('the page loads only files of the service, and a text in it cannot become markup', async () => {
  await using demo = await startTestDemo();
  const response = await demo.sendUnchecked('GET', '/inbox', { headers: anonymous });
  const html = await response.text();
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self'; ");
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|https?:\/\/(?!127\.0\.0\.1)/);
  for (const [, path = ''] of html.matchAll(/(?:src|href)="(inbox-[^"]+)"/g)) {
    const asset = await demo.sendUnchecked('GET', `/${path}`, { headers: anonymous });
    expect([path, asset.status, asset.headers.get('x-content-type-options')]).toEqual([path, 200, 'nosniff']);
  }
});
