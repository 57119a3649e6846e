/** Measures the size and the loading time of the page, for the first visit of a browser and for the second. Prints a table. */
import type { Page } from 'playwright-core';
import { launch } from './browser.ts';
import { startService } from './service.ts';

const rounds = 5;

interface Visit {
  readonly firstPaintMs: number;
  readonly shownMs: number;
  readonly sizeBytes: number;
}

/** The measurements of the browser, and the time at which the last operation is visible. */
const visit = async (page: Page, url: string): Promise<Visit> => {
  await page.goto(url);
  await page.getByText('Get the current token').first().waitFor();
  return page.evaluate(() => {
    const entries = performance.getEntries();
    return {
      firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      shownMs: performance.now(),
      sizeBytes: entries.reduce((sum, entry) => sum + ('transferSize' in entry ? Number(entry.transferSize) : 0), 0),
    };
  });
};

const median = (visits: readonly Visit[], measure: keyof Visit): number =>
  visits.map((one) => one[measure]).sort((a, b) => a - b)[Math.floor(visits.length / 2)] ?? Number.NaN;

await using service = await startService();
const browser = await launch();
const first: Visit[] = [];
const again: Visit[] = [];
for (let round = 0; round < rounds; round += 1) {
  const context = await browser.newContext();
  const page = await context.newPage();
  first.push(await visit(page, `${service.url}/swagger`));
  again.push(await visit(page, `${service.url}/swagger`));
  await context.close();
}
await browser.close();

console.log(`Medians of ${rounds} visits | first paint | all visible | transferred`);
for (const [name, visits] of Object.entries({ 'first visit': first, 'second visit': again })) {
  const kib = Math.round(median(visits, 'sizeBytes') / 1024);
  console.log(
    `${name} | ${Math.round(median(visits, 'firstPaintMs'))} ms | ${Math.round(median(visits, 'shownMs'))} ms | ${kib} KiB`,
  );
}
