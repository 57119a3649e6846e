/** The page misses no change: neither before its stream begins, nor while it has no connection, nor when it must start over. */
import { expect, type Page, type Response, test } from '@playwright/test';
import { reset, send, slowDemo } from '../demos.ts';

test.beforeEach(async ({ page }) => {
  await reset(slowDemo);
  // Ends all requests of the page, as a lost connection does.
  await page.addInitScript(() => {
    const send = window.fetch;
    window.fetch = (input, init) => {
      const lost = new AbortController();
      window.addEventListener('lose-connection', () => lost.abort());
      const signals = [lost.signal, ...(input instanceof Request ? [input.signal] : [])];
      return send(input, { ...init, signal: AbortSignal.any(signals) });
    };
  });
});

test('changes before, between and after the position and the list are shown', async ({ page }) => {
  const left = [...changes];
  await page.route(/\/(events|plants)(\?|$)/, async (route) => {
    await left.shift()?.();
    await route.continue();
  });
  await page.goto('/');
  await expectPlants(page, after);
  expect(left).toEqual([]);
});

test('a change without a connection is shown when it is back', async ({ page }) => {
  await openPage(page);
  const stream = await holdStream(page);
  await loseConnection(page);
  await changeAll();
  stream.release();
  await expectPlants(page, after);
  await expect(page.getByRole('alert')).toBeHidden();
});

test('after a 410 the page starts over, and shows the changes before and after it', async ({ page }) => {
  await openPage(page);
  const stream = await holdStream(page, { isExpired: true });
  await loseConnection(page);
  await changeAll();
  stream.release();
  await expectPlants(page, after);
  await send(slowDemo, 'PATCH', '/plants/1', '{"name":"Fern"}');
  await expectPlants(page, { ...after, 1: 'Fern' });
});

type Names = Readonly<Record<string, string | null>>;

const created = '9007199254740995';
const before: Names = { 1: 'Monstera', 2: 'Ficus', [created]: null };
const after: Names = { 1: 'Moss', 2: null, [created]: 'Ivy' };

const changes = [
  () => send(slowDemo, 'PATCH', '/plants/1', '{"name":"Moss"}'),
  () => send(slowDemo, 'DELETE', '/plants/2'),
  () => send(slowDemo, 'POST', '/plants', `{"id":${created},"name":"Ivy"}`),
];

const changeAll = async (): Promise<void> => {
  for (const change of changes) await change();
};

const expectPlants = async (page: Page, names: Names): Promise<void> => {
  for (const [id, name] of Object.entries(names))
    await expect(page.locator(`[data-id="${id}"] > span`)).toHaveText(name === null ? [] : [name]);
};

const isStream = (response: Response): boolean =>
  response.url().endsWith('/events') && response.request().method() === 'GET';

const openPage = async (page: Page): Promise<void> => {
  await Promise.all([page.waitForResponse(isStream), page.goto('/')]);
  await expectPlants(page, before);
};

const loseConnection = (page: Page): Promise<unknown> =>
  page.evaluate(() => window.dispatchEvent(new Event('lose-connection')));

/** Holds the next request for the stream until it is released. With `isExpired`, its position has expired: the demo answers 410 to it. */
const holdStream = async (page: Page, { isExpired = false } = {}) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let position: string | undefined;
  await page.route('**/events', async (route) => {
    const headers = route.request().headers();
    if (route.request().method() === 'GET') position ??= headers['last-event-id'];
    await promise;
    const prefer = isExpired && headers['last-event-id'] === position && { prefer: 'code=410' };
    await route.continue({ headers: { ...headers, ...prefer } });
  });
  return { release: resolve };
};
