/** Reads are conditional, and each page links to the next. */
import { type Answer, type Client, describe, expect, expectStatus } from './client.ts';
import type { CreatedPlant } from './create-checks.ts';

/** Creates the plants of two pages on a server without plants. Returns them. */
export const checkReads = async (client: Client): Promise<CreatedPlant[]> => {
  for (const plant of plants.toReversed()) expectStatus('a plant is created', await client.create(plant), 200);
  await checkPages(client);
  await checkConditions(client);
  expectStatus('a plant that does not exist', await client.get('/plants/151'), 404);
  for (const id of ['x', '1.5'])
    expectStatus('an id in the path that is not an integer is refused', await client.get(`/plants/${id}`), 400);
  await checkRequestIds(client);
  return plants;
};

/** The first of the plants that the load reads later. */
const plants = Array.from({ length: 150 }, (_, index) => ({ id: index + 1, name: 'Monstera', tag: 'tropical' }));

const checkPages = async (client: Client): Promise<void> => {
  const first = await client.get('/plants');
  expectPlants('a page has 100 plants by ascending id', first, 1, 100);
  const next = /^<([^>]+)>; *rel="?next"?$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  expect('the Link to the next page', next !== '', describe(first));
  const { pathname, search } = new URL(next, 'http://localhost/plants');
  const second = await client.get(`${pathname}${search}`);
  expectPlants('the next page has the other 50', second, 101, 150);
  expect('the last page has no Link', !second.headers.has('link'), describe(second));

  const whole = await client.get('/plants?limit=150');
  expectPlants('a page has as many plants as its limit', whole, 1, 150);
  expect('a page of all plants has no Link', !whole.headers.has('link'), describe(whole));
  expectPlants('a page has its limit', await client.get('/plants?limit=1'), 1, 1);
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'after=!'])
    expectStatus(`${query} is refused`, await client.get(`/plants?${query}`), 400);
};

/** Throws unless the response has the plants with these ids, as a read of each returns them. */
const expectPlants = (work: string, answer: Answer, from: number, to: number): void => {
  expectStatus(work, answer, 200);
  const found: { createdAt?: unknown; updatedAt?: unknown }[] = JSON.parse(answer.text);
  const withoutTimes = found.map(({ createdAt, updatedAt, ...plant }) => plant);
  const haveTimes = found.every(({ createdAt, updatedAt }) => typeof createdAt === 'string' && createdAt === updatedAt);
  expect(work, haveTimes && Bun.deepEquals(withoutTimes, plants.slice(from - 1, to)), describe(answer));
};

const checkConditions = async (client: Client): Promise<void> => {
  const etagOf = async (id: number): Promise<string> => (await client.get(`/plants/${id}`)).headers.get('etag') ?? '';
  const [own, other] = [await etagOf(1), await etagOf(2)];
  const notModified = await client.get('/plants/1', { headers: { 'if-none-match': own } });
  expectStatus('a plant that the client has', notModified, 304);
  expect('the ETag of a 304', notModified.headers.get('etag') === own, describe(notModified));
  expect('no body of a 304', notModified.text === '', describe(notModified));
  const modified = await client.get('/plants/1', { headers: { 'if-none-match': other } });
  expectStatus('a plant that the client does not have', modified, 200);
};

/** Every response has the id of its request. The client checks that. */
const checkRequestIds = async (client: Client): Promise<void> => {
  const ids = new Set<string>();
  for (const invalid of ['a b', 'x'.repeat(65)]) {
    const answer = await client.get('/plants/1', { headers: { 'x-request-id': invalid } });
    const id = answer.headers.get('x-request-id') ?? '';
    expect('an X-Request-Id that is not valid is replaced', /^[\w.-]{1,64}$/.test(id), describe(answer));
    ids.add(id);
  }
  expect('each X-Request-Id is new', ids.size === 2, [...ids].join());
};
