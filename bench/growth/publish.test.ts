import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { readGrowth, root, toGrowthDocuments } from './publish.ts';
import { operations, operationsWithPictures } from './sizes.ts';

const results = await readGrowth();
const page = await Bun.file(join(root, 'bench/README.md')).text();

test.each([...toGrowthDocuments(results, page)])('%s is the output of bench pictures', async (path, text) => {
  expect(await Bun.file(join(root, path)).text()).toBe(text);
});

test('each size has a figure for every operation of the service, but a backup of PostgreSQL', () => {
  for (const { engine, service } of results.growths) {
    const without = engine === 'PostgreSQL' ? ['backup'] : [];
    expect(Object.keys(operations).filter((operation) => !(operation in service))).toEqual(without);
  }
  for (const { engine, with: figures } of results.pictures) {
    const without = engine === 'PostgreSQL' ? ['backup'] : [];
    expect(Object.keys(operationsWithPictures).filter((operation) => !(operation in figures))).toEqual(without);
  }
});
