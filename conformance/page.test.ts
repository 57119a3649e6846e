/** The page at /swagger in a real browser: the service serves all of it, and a user can send a request from it. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { operations } from '../src/app/app.ts';
import { createDocument } from '../src/document/document.ts';
import { operationsOf } from '../tests/support/document/document.ts';
import { eventually } from '../tests/support/until.ts';
import { inChromium, useBrowser } from './in-chromium.ts';
import { type Service, startService } from './service.ts';

/** The members of a DOM element that this test uses. Bun has no types for them. */
interface Shown {
  readonly ownerDocument: { elementFromPoint(x: number, y: number): Shown | null };
  contains(other: Shown | null): boolean;
  getBoundingClientRect(): Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;
}

test.each([
  ['scalar', '@scalar/api-reference', 'dist/browser/standalone.js'],
  ['swagger-ui', 'swagger-ui-dist', 'swagger-ui-bundle.js'],
  ['swagger-ui', 'swagger-ui-dist', 'swagger-ui.css'],
])('a file of the page, %s-…, is identical to that of the package %s: %s', async (prefix, packageName, path) => {
  const assets = join(import.meta.dir, '../src/pages/assets');
  const isFile = (file: string): boolean => file.startsWith(prefix) && file.endsWith(`${extname(path)}.gz`);
  const [name = ''] = readdirSync(assets).filter(isFile);
  const original = await Bun.file(join(import.meta.dir, 'node_modules', packageName, path)).bytes();
  const { devDependencies } = await Bun.file(join(import.meta.dir, 'package.json')).json();
  const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
  expect(sha256(Bun.gunzipSync(await Bun.file(join(assets, name)).bytes()))).toBe(sha256(original));
  expect(name).toBe(`${prefix}-${devDependencies[packageName]}-${sha256(original).slice(0, 12)}${extname(path)}.gz`);
});

inChromium('in Chromium', () => {
  const browser = useBrowser();
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const jsonOf = async (response: Response) => JSON.parse(await response.text());

  const call = (
    method: string,
    path: string,
    body?: string | Blob,
    contentType = 'application/json',
  ): Promise<Response> =>
    fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${service.token}`, 'content-type': contentType },
      ...(body !== undefined && { body }),
    });

  /** Opens the page, and collects its requests to other hosts, its errors and its warnings. */
  const open = async (
    options: Parameters<Browser['newPage']>[0] = {},
    query = '',
  ): Promise<{ page: Page; problems: string[] }> => {
    const page = await browser.newPage(options);
    const problems: string[] = [];
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && protocol !== 'blob:' && origin !== service.url) problems.push(request.url());
    });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(`${error}`));
    await page.goto(`${service.url}/swagger${query}`);
    await page.getByRole('heading', { name: 'OpenAPI Plant Store' }).waitFor();
    return { page, problems };
  };

  /** Whether nothing clips or covers the element, from its first pixel to its last. */
  const isWholeOnScreen = async (element: Locator): Promise<boolean> => {
    if (!(await element.isVisible())) return false;
    await element.scrollIntoViewIfNeeded();
    return element.evaluate((shown: Shown) => {
      const { left, right, top, bottom } = shown.getBoundingClientRect();
      const isOnTop = (x: number): boolean =>
        shown.contains(shown.ownerDocument.elementFromPoint(x, (top + bottom) / 2));
      return isOnTop(left + 1) && isOnTop(right - 1);
    });
  };

  test('the page lists every operation and every webhook, sends no request to other hosts, and has no error and no warning', async () => {
    const { page, problems } = await open();
    const { paths, webhooks } = createDocument(operations);
    const summaries = [...operationsOf(paths), ...operationsOf(webhooks)].map(({ summary }) => summary);
    expect(summaries).toHaveLength(28);
    for (const summary of summaries) await page.getByText(summary).first().waitFor();
    await page.close();
    expect(problems).toEqual([]);
  });

  test('a user can paste the token and send every operation, with the values that the page fills in and the ids that it requires', async () => {
    const webhook = await jsonOf(await call('POST', '/webhooks', '{"url":"https://receiver.example.com/"}'));
    const delivery = await jsonOf(await call('POST', `/webhooks/${webhook.id}/test`));
    const ids: Readonly<Record<string, string>> = { id: '1', webhookId: webhook.id, deliveryId: delivery.id };
    const { page, problems } = await open();
    await page.getByPlaceholder('Token').first().fill(service.token);

    // The plant that the page creates, with a picture. The page cannot choose the file of another one.
    await call('POST', '/plants', '{"id":1,"name":"Monstera","tag":"tropical"}');
    const picture = Bun.file(join(import.meta.dir, '../openapi/monstera.png'));
    await call('PUT', '/plants/1/picture', picture, 'image/png');
    const sent = operationsOf(createDocument(operations).paths).filter(
      ({ operationId }) => operationId !== 'putPicture',
    );

    // Deletions come last, and that of a plant after that of its picture.
    const ranks: Readonly<Record<string, number>> = { deletePicture: 1, deletePlant: 2, deleteWebhook: 2 };
    const rankOf = ({ operationId }: { readonly operationId: string }): number => ranks[operationId] ?? 0;
    const inOrder = sent.sort((a, b) => rankOf(a) - rankOf(b));
    const answered: string[] = [];
    for (const { operationId, method, path, summary, responses } of inOrder) {
      await page.getByText(summary, { exact: true }).first().click();
      await page.getByRole('heading', { name: summary, exact: true }).first().waitFor();
      const button = new RegExp(`Test Request.*${method} ${path.replaceAll(/[{}]/g, '\\$&')}\\)`, 'is');
      await page.getByRole('button', { name: button }).first().click();
      const dialog = page.getByRole('dialog');
      // The path variables come first, in their order.
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      for (const [place, name] of names.entries())
        await dialog
          .getByRole('combobox', { name: 'Value' })
          .nth(place)
          .fill(ids[name] ?? '');
      await dialog.getByRole('button', { name: /^Send/ }).first().click();
      const [success = ''] = Object.keys(responses);
      await dialog
        .getByText(new RegExp(`^${success} [A-Z]`))
        .first()
        .waitFor();
      answered.push(operationId);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
    await page.close();
    expect(answered).toHaveLength(21);
    expect(problems).toEqual([]);
  });

  test('the button "Send" creates a plant, and the page shows the response', async () => {
    const { page } = await open();
    await page.getByPlaceholder('Token').first().fill(service.token);
    await page.getByText('Create a plant').first().click();
    await page
      .getByRole('button', { name: /Test Request.*post \/plants\)/is })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Send/ }).first().click();
    await dialog.getByText('200 OK').first().waitFor();
    await eventually(async () => expect(await dialog.textContent()).toContain('"name": "Monstera"'));
    await page.close();
    expect(await (await call('GET', '/plants/1')).json()).toMatchObject({ id: 1, name: 'Monstera' });
  });

  test.each([
    ['Scalar', ''],
    ['Swagger UI', '?ui=swagger'],
  ])('on a screen 390 pixels wide, a link on the first screen leads to the operations in %s', async (_, query) => {
    const { page, problems } = await open({ viewport: { width: 390, height: 844 } }, query);
    const link = page.getByRole('link', { name: 'Operations', exact: true });
    await eventually(async () => {
      expect((await link.boundingBox())?.y).toBeLessThan(100);
      expect(await page.evaluate('scrollY')).toBe(0);
      expect(await isWholeOnScreen(link)).toBe(true);
    });
    await link.click();
    const operation = page.getByText('/plants/{id}').first();
    await eventually(async () => {
      const { y = Number.NaN } = (await operation.boundingBox()) ?? {};
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThan(844);
      expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(0);
      expect(await isWholeOnScreen(operation)).toBe(true);
    });
    // Nothing of a demo is on the page of a normal service.
    expect(await page.getByRole('link', { name: 'Webhook inbox' }).count()).toBe(0);
    await page.close();
    expect(problems).toEqual([]);
  });

  test('Swagger UI lists every operation and every webhook, sends a request with a token, and needs no other host', async () => {
    const { page, problems } = await open({}, '?ui=swagger');
    const { paths, webhooks } = createDocument(operations);
    for (const { summary } of [...operationsOf(paths), ...operationsOf(webhooks)])
      await page.getByText(summary, { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.getByRole('textbox').fill(service.token);
    await page.getByRole('button', { name: 'Apply credentials' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Get the current token', { exact: true }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.getByText('"name": "conformance"').first().waitFor();
    await page.close();
    expect(problems).toEqual([]);
  });

  test.each([
    ['light', 360],
    ['dark', 360],
    ['light', 768],
    ['dark', 768],
    ['light', 1280],
    ['dark', 1280],
  ] as const)(
    'the page fits a %s screen %d pixels wide, and its head shows the contact, the licence and that a token is required',
    async (colorScheme, width) => {
      const { page, problems } = await open({ colorScheme, viewport: { width, height: 900 } });
      for (const text of [
        'The OpenAPI Specification 3.1.1',
        'The Plant Store project',
        'MIT',
        'Required',
        'bearerAuth',
      ])
        await eventually(async () =>
          expect([text, await isWholeOnScreen(page.getByText(text, { exact: true }).first())]).toEqual([text, true]),
        );
      await eventually(async () =>
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width),
      );
      await page.screenshot({ path: join(import.meta.dir, 'generated', `page-${colorScheme}-${width}.png`) });
      await page.close();
      expect(problems).toEqual([]);
    },
  );
});
