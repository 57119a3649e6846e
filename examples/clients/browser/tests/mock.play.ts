/** The demo as the mock of a front end: slow by `--delay`, with errors by `Prefer: code=`, and with its initial data before each test. */
import { expect, test } from '@playwright/test';
import { reset, slowDemo } from '../demos.ts';

test.beforeEach(async () => {
  await reset(slowDemo);
});

test('the page says that it loads, and then shows the plants', async ({ page }) => {
  await Promise.all([page.getByText('Loading …').waitFor(), page.goto('/')]);
  await expect(page.getByText('Monstera')).toBeVisible();
  await expect(page.getByText('Loading …')).toBeHidden();
});

test('the page says that the service is unavailable, and shows the plants as soon as it is back', async ({ page }) => {
  await page.setExtraHTTPHeaders({ Prefer: 'code=503' });
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('503');
  await page.setExtraHTTPHeaders({});
  await expect(page.getByText('Monstera')).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
});

test('a plant gets another name', async ({ page }) => {
  await page.goto('/');
  const row = page.locator('[data-id="2"]');
  await row.getByRole('button', { name: 'Rename' }).click();
  await row.getByLabel('Name').fill('Fig');
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Fig');
});

test('the page says that somebody else has changed the plant', async ({ page }) => {
  await page.goto('/');
  const row = page.locator('[data-id="2"]');
  await row.getByRole('button', { name: 'Rename' }).click();
  await row.getByLabel('Name').fill('Fig');
  await page.setExtraHTTPHeaders({ Prefer: 'code=412' });
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Somebody else has changed it.');
  await expect(row).toContainText('Ficus');
});
