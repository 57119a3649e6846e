/** A client that retries after a 503, tested against the demo: start it, and run `bun test ./retry.test.ts`. */
import { expect, test } from 'bun:test';

const url = process.env['PLANT_STORE_URL'] ?? 'http://127.0.0.1:3000';
const authorization = 'Bearer plant_ThisTokenIsPublicUseItForTests0JVZRz';

/** The client under test: it waits as long as `Retry-After` requires, and tries at most three times. */
const fetchPatiently = async (create: () => Request, send: typeof fetchFailing, attemptsMax = 3): Promise<Response> => {
  const response = await send(create());
  if (response.status !== 503 || attemptsMax === 1) return response;
  await Bun.sleep(Number(response.headers.get('retry-after')) * 1000);
  return fetchPatiently(create, send, attemptsMax - 1);
};

/** Sends a request that fails with this status. */
const fetchFailing = (request: Request, status = 503): Promise<Response> => {
  request.headers.set('prefer', `code=${status}`);
  return fetch(request);
};

const creation = (): Request =>
  new Request(`${url}/plants`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"id":7,"name":"Aloe"}',
  });

test('a creation is retried after a 503, and succeeds', async () => {
  const statuses: number[] = [];
  const response = await fetchPatiently(creation, async (request) => {
    const sent = await (statuses.length === 0 ? fetchFailing(request) : fetch(request));
    statuses.push(sent.status);
    return sent;
  });
  expect(statuses).toEqual([503, 200]);
  expect(await response.json()).toEqual({ name: 'Aloe' });
});

test('a creation is retried twice, and then fails', async () => {
  expect((await fetchPatiently(creation, fetchFailing)).status).toBe(503);
});

test('a conflict is not retried', async () => {
  expect((await fetchPatiently(creation, (request) => fetchFailing(request, 409))).status).toBe(409);
});
