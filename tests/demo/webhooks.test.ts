import { expect, test } from 'bun:test';
import type { PostMessage } from '../../src/sender/attempt.ts';
import { webhook } from '../../src/webhooks/sample.ts';
import { asJson, jsonOf } from '../support/app/app.ts';
import { startTestDemo } from '../support/app/demo.ts';
import { until } from '../support/until.ts';

/** Records the URLs, and sends nothing. */
const createRecordingPost = () => {
  const urls: string[] = [];
  const post: PostMessage = async ({ url }) => {
    urls.push(url);
    return { attempt: { at: new Date().toISOString(), durationMs: 0, status: 204 } };
  };
  return { urls, post };
};

test('nothing is sent to example.com, example.net, example.org and their subdomains', async () => {
  const { urls, post } = createRecordingPost();
  await using demo = await startTestDemo({ post });
  const reserved = [
    'https://example.com/',
    'http://EXAMPLE.org:8080/',
    'https://example.net./',
    'https://a.b.example.com/',
  ];
  const others = ['http://127.0.0.1:1/', 'https://example.com.plants.test/', 'https://notexample.com/'];
  const ids: string[] = [webhook.id];
  for (const url of [...reserved, ...others]) {
    const created = await demo.send('POST', '/webhooks', { headers: asJson, body: JSON.stringify({ url }) });
    ids.push((await jsonOf(created)).id);
  }
  const createPlant = (body: string) => demo.send('POST', '/plants', { headers: asJson, body });
  await createPlant('{"id":5,"name":"Palm"}');
  for (const id of ids) expect((await demo.send('POST', `/webhooks/${id}/test`)).status).toBe(202);
  for (const { id } of await jsonOf(await demo.send('GET', `/webhooks/${webhook.id}/deliveries`)))
    await demo.send('POST', `/webhooks/${webhook.id}/deliveries/${id}/redeliver`);
  await until(() => urls.length >= 2 * others.length);
  // When the other webhooks receive the next event, the sender has checked every webhook once more.
  await createPlant('{"id":6,"name":"Yucca"}');
  await until(() => urls.length >= 3 * others.length);
  expect(urls.sort()).toEqual(others.flatMap((url) => [url, url, url]).sort());
});
