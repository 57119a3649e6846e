/** The values that the page at /swagger fills in and sends: the examples of required parameters, and of optional ones if they are selected. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { demoToken } from '../src/tokens/sample.ts';
import { document, operations, type PlacedOperation, resolve } from '../tests/support/document/document.ts';
import { inChromium, useBrowser, useDemo } from './in-chromium.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly examples: { readonly demo: { readonly value: string | number } };
}

const parametersOf = ({ path, parameters = [] }: PlacedOperation): Parameter[] =>
  [...(document.paths[path].parameters ?? []), ...parameters].map((one) => resolve<Parameter>(one));

const isRequired = ({ required = false }: Pick<Parameter, 'required'>): boolean => required;

/** The page cannot choose a picture for the user, and sends none. */
const statusOf = ({ operationId, responses }: PlacedOperation): number =>
  operationId === 'putPicture' ? 400 : Number(Object.keys(responses)[0]);

/** A request, with the headers that the document has as parameters. */
interface Sent {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The request with the examples of these parameters. */
const requestWith = (path: string, parameters: readonly Parameter[]): Sent => {
  const examplesIn = (place: Parameter['in']): Record<string, string> =>
    Object.fromEntries(
      parameters.filter((one) => one.in === place).map((one) => [one.name, `${one.examples.demo.value}`]),
    );
  const inPath = examplesIn('path');
  return {
    path: path.replaceAll(/\{(\w+)\}/g, (_, name) => inPath[name] ?? ''),
    query: examplesIn('query'),
    headers: examplesIn('header'),
  };
};

inChromium('in Chromium, on the demo', () => {
  const browser = useBrowser();
  const demo = useDemo();
  let page: Page;
  beforeEach(async () => {
    page = await browser.newPage();
    await page.goto(`${demo.url}/swagger`);
    await page.getByPlaceholder('Token').first().fill(demoToken);
  });
  afterEach(() => page.close());

  /** Opens the form of the operation. */
  const openForm = async ({ summary, method, path }: PlacedOperation): Promise<Locator> => {
    await page.getByText(summary, { exact: true }).first().click();
    await page.getByRole('heading', { name: summary, exact: true }).first().waitFor();
    const button = new RegExp(`Test Request.*${method} ${path.replaceAll(/[{}]/g, '\\$&')}\\)`, 'is');
    await page.getByRole('button', { name: button }).first().click();
    return page.getByRole('dialog');
  };

  const closeForm = async (form: Locator): Promise<void> => {
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });
  };

  /** Sends the form. */
  const send = async (form: Locator, parameters: readonly Parameter[]): Promise<Sent & { readonly status: number }> => {
    const answered = page.waitForResponse((response) => response.request().resourceType() === 'fetch');
    await form.getByRole('button', { name: /^Send/ }).first().click();
    const response = await answered;
    const url = new URL(response.url());
    const headers = await response.request().allHeaders();
    const names = parameters.filter((one) => one.in === 'header').map(({ name }) => name);
    return {
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(
        names.flatMap((name) => {
          const value = headers[name.toLowerCase()];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
      status: response.status(),
    };
  };

  test('the page sends every operation with the examples of required parameters, and without optional ones', async () => {
    for (const operation of operations) {
      const parameters = parametersOf(operation);
      await demo.reset();
      const form = await openForm(operation);
      expect(await send(form, parameters)).toEqual({
        ...requestWith(operation.path, parameters.filter(isRequired)),
        status: statusOf(operation),
      });
      await closeForm(form);
    }
  });

  test('the page sends the examples of optional parameters if a user selects them', async () => {
    const some = operations.filter((operation) => !parametersOf(operation).every(isRequired));
    expect(some).toHaveLength(12);
    for (const operation of some) {
      const parameters = parametersOf(operation);
      await demo.reset();
      const form = await openForm(operation);
      for (const { name, ...parameter } of parameters)
        if (!isRequired(parameter)) await form.getByRole('checkbox', { name: `Include ${name} in request` }).check();
      expect(await send(form, parameters)).toEqual({
        ...requestWith(operation.path, parameters),
        status: statusOf(operation),
      });
      await closeForm(form);
    }
  });

  describe('Swagger UI', () => {
    /** Opens the operation, sends its request with what the page fills in, and returns the address and the shown response. */
    const execute = async (operationId: string) => {
      await page.goto(`${demo.url}/swagger?ui=swagger`);
      const operation = page.locator(`.opblock[id$="-${operationId}"]`);
      await operation.locator('.opblock-summary-control').first().click();
      const request = page.waitForRequest((sent) => !sent.url().endsWith('/openapi.json'));
      await operation.getByRole('button', { name: 'Execute' }).click();
      const { pathname, search } = new URL((await request).url());
      const shown = operation.locator('.live-responses-table');
      await shown.getByText('Response body').waitFor();
      return { target: pathname + search, text: (await shown.locator('.microlight, pre').first().textContent()) ?? '' };
    };

    test.each([
      ['listPlants', '/plants?limit=100'],
      ['listEvents', '/events?limit=100'],
    ])(
      'the first request of %s is %s, without the examples of its optional parameters',
      async (operationId, target) => {
        await demo.reset();
        const sent = await execute(operationId);
        expect(sent.target).toBe(target);
        expect(JSON.parse(sent.text)).not.toEqual([]);
      },
    );

    test('a response is shown with exact numbers, and indented', async () => {
      const sent = await demo.send('POST', '/plants', '{"id":9007199254740993,"name":"1.0"}');
      expect(sent.status).toBe(200);
      const { text } = await execute('listPlants');
      expect(text).toContain('"id": 9007199254740993,\n');
      await demo.reset();
    });
  });
});
