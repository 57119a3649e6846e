import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { docs, readAllResults, readPages, toDocuments, toSubjects } from './plot.ts';

const results = await readAllResults();
const documents = [...toDocuments(results, await readPages())];
const pictures = documents.filter(([name]) => name.endsWith('.svg'));
const subjects = toSubjects(results);

test.each(documents)('docs/%s is the output of `bun run bench pictures` for the results', async (name, text) => {
  expect(await Bun.file(join(docs, name)).text()).toBe(text);
});

test.each(pictures)('%s names every row, and has a bar for each result', (name, text) => {
  const { rows, panels } = subjects.get(name.replace(/-(?:light|dark)\.svg$/, '')) ?? { rows: [], panels: [] };
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) expect(text).toContain(`>${row}</text>`);
  expect(panels).not.toEqual([]);
  for (const { series } of panels) expect(series).toHaveLength(rows.length);
  const bars = panels.flatMap(({ series }) => series.filter((one) => one !== undefined));
  expect(bars.length).toBeGreaterThan(rows.length * (panels.length - 1));
  expect(text.match(/<rect /g)).toHaveLength(bars.length);
});

test.each(pictures)('no text of %s is smaller than 11 pixels', (_, text) => {
  const sizes = [...text.matchAll(/font-size="(\d+)"/g)].map(([, size]) => Number(size));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
});
