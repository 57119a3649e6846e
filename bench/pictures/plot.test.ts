import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { readResults } from '../requests/results.ts';
import { docs, toDocuments } from './plot.ts';

const results = await readResults();
const page = await Bun.file(join(docs, 'performance.md')).text();
const documents = [...toDocuments(results, page)];
const pictures = documents.filter(([name]) => name.endsWith('.svg'));

test.each(documents)('docs/%s is the output of bench:plot for bench/results.json', async (name, text) => {
  expect(await Bun.file(join(docs, name)).text()).toBe(text);
});

test.each(pictures)('%s names every server, and has a bar for each in each of four panels', (_, text) => {
  for (const { stack } of results.servers) {
    expect(text).toContain(`>${stack}</text>`);
    expect(text.split(`${stack} `)).toHaveLength(1 + panels);
  }
  expect(text.match(/<rect /g)).toHaveLength(results.servers.length * panels);
});

test.each(pictures)('no text of %s is smaller than 11 pixels', (_, text) => {
  const sizes = [...text.matchAll(/font-size="(\d+)"/g)].map(([, size]) => Number(size));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
});

const panels = 4;
