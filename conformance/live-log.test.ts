/** The live log in a real browser, whose pages read it with `fetch`. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sqlite } from '../tests/support/store/engines.ts';
import { inChromium, useBrowser } from './in-chromium.ts';
import { type Service, startService } from './service.ts';

const create = async (url: string, authorization: string, id: number): Promise<void> => {
  const headers = { authorization, 'content-type': 'application/json' };
  const { status } = await fetch(`${url}/plants`, { method: 'POST', headers, body: `{"id":${id},"name":"n"}` });
  expect(status).toBe(200);
};

inChromium('in Chromium', () => {
  const browser = useBrowser();
  const otherOrigin = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response('', { headers: { 'content-type': 'text/html' } }),
  });
  let service: Service;
  beforeAll(async () => {
    service = await startService(sqlite, { env: { CORS_ORIGINS: otherOrigin.url.origin } });
    for (const id of [1, 2]) await create(service.url, `Bearer ${service.token}`, id);
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await otherOrigin.stop(true);
  });

  const pages = [
    ['of the service', () => `${service.url}/healthz`],
    ['of another origin', () => otherOrigin.url.href],
  ] as const;

  test.each(pages)('a page %s reads the stream with fetch and a token, and resumes it', async (_which, addressOf) => {
    const page = await browser.newPage();
    await page.goto(addressOf());
    const authorization = `Bearer ${service.token}`;
    const listIds = async (): Promise<string[]> => {
      const response = await fetch(`${service.url}/events`, { headers: { authorization } });
      return JSON.parse(await response.text()).map(({ eventId }: { eventId: string }) => eventId);
    };
    const before = await listIds();
    const lastEventId = before[0] ?? '';
    const reading = page.evaluate(readIds, { url: service.url, authorization, lastEventId, count: before.length });
    await create(service.url, authorization, before.length + 1);
    expect(await reading).toEqual((await listIds()).slice(1));
    await page.close();
  });

  test.each(pages)('an EventSource in a page %s has no token, and fails permanently', async (_which, addressOf) => {
    const page = await browser.newPage();
    await page.goto(addressOf());
    const readyState = await page.evaluate(`new Promise((resolve) => {
      const source = new EventSource('${service.url}/events');
      source.onerror = () => resolve(source.readyState);
      source.onopen = () => resolve('open');
    })`);
    const closed = 2;
    expect(readyState).toBe(closed);
    await page.close();
  });
});

interface Reading {
  readonly url: string;
  readonly authorization: string;
  readonly lastEventId: string;
  /** How many events the page waits for. */
  readonly count: number;
}

/** Runs in the page. Resolves to the ids of the received events. */
const readIds = async ({ url, authorization, lastEventId, count }: Reading): Promise<string[]> => {
  const headers = { accept: 'text/event-stream', authorization, 'last-event-id': lastEventId };
  const { body } = await fetch(`${url}/events`, { headers });
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.split('\n\n').filter((frame) => frame.includes('data: ')).length >= count) break;
  }
  return Array.from(text.matchAll(/^id: (.*)\nevent: /gm), ([, id = '']) => id);
};
