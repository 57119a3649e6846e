/** Prism stands between a client and the server, and refuses what does not fit the document, in either direction. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import createClient from 'openapi-fetch';
import { freePort } from '../tests/support/port.ts';
import type { paths } from './generated/openapi-typescript.ts';
import { startService } from './service.ts';
import { walk } from './walk.ts';

/** Prism in validation mode before the service, and all that it has to say. */
const startPrism = async (upstream: string) => {
  const port = await freePort();
  const prism = join(import.meta.dir, 'node_modules/.bin/prism');
  const document = join(import.meta.dir, '../openapi.yaml');
  const child = Bun.spawn([process.execPath, prism, 'proxy', document, upstream, '--port', `${port}`, '--errors'], {
    stdout: 'pipe',
    stderr: 'ignore',
  });
  let said = '';
  const listening = Promise.withResolvers<void>();
  void (async () => {
    for await (const chunk of child.stdout) {
      said += Buffer.from(chunk).toString();
      if (said.includes('is listening')) listening.resolve();
    }
  })();
  await Promise.race([
    listening.promise,
    child.exited.then(() => {
      throw new Error(`Prism did not start: ${said}`);
    }),
  ]);
  return { url: `http://127.0.0.1:${port}`, said: () => said, [Symbol.dispose]: () => child.kill() };
};

test('Prism has nothing to object to on a walk through every operation, and would object', async () => {
  await using service = await startService();
  using prism = await startPrism(service.url);
  const headers = { authorization: `Bearer ${service.token}` };
  await walk(createClient<paths>({ baseUrl: prism.url, headers }));
  expect(prism.said()).not.toMatch(/violation|terminated with error/i);

  const wrong = await fetch(`${prism.url}/plants`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"id":"1","name":"n"}',
  });
  expect(wrong.status).toBe(422);
}, 30_000);
