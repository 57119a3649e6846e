/** The recipe "Add a resource" of docs/recipes.md, followed in a copy: a resource with `GET /notes` and `POST /notes`. */
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createCopy } from '../support/project/checkout.ts';
import { read } from '../support/project/imports.ts';

const patch = 'tests/house/add-a-resource.patch';

/** The files that the patch creates, and those that it changes. */
const filesIn = (text: string) => {
  const files = [...text.matchAll(/^diff --git a\/(\S+) b\/\S+\n(new file)?/gm)];
  const pathsOf = (isNew: boolean) =>
    files.filter((file) => (file[2] !== undefined) === isNew).map(([, path = '']) => path);
  return { created: pathsOf(true), changed: pathsOf(false) };
};

const [, recipe = ''] = /^## Add a resource$([\s\S]*?)^## /m.exec(read('docs/recipes.md')) ?? [];

/** The tests that read what the recipe changes. */
const few = [
  ...['tests/notes', 'tests/store/notes.test.ts', 'tests/http/eden.test.ts'],
  ...['layers', 'document', 'docs', 'figures', 'key-order'].map((name) => `tests/house/${name}.test.ts`),
];

const whole = [
  ...['tests/notes', 'tests/store', 'tests/http', 'tests/house'],
  '--path-ignore-patterns=tests/house/recipe.test.ts',
];

test('the recipe names each file that the patch creates or changes', () => {
  const { created, changed } = filesIn(read(patch));
  expect([created.length, changed.length]).toEqual([9, 10]);
  const nameOf = (path: string): string =>
    path
      .replace('src/notes/', '')
      .replace(/^src\//, '')
      .replaceAll('notes', 'NAME');
  expect([...created, ...changed].map(nameOf).filter((path) => !recipe.includes(`\`${path}\``))).toEqual([]);
  expect(changed.filter((path) => !existsSync(join(import.meta.dir, '../..', path)))).toEqual([]);
});

test('a resource that is added by the recipe compiles, is in the document and in a copy, and passes the tests', async () => {
  using copy = createCopy();
  // Fewer lines of context, so that the patch outlives changes beside its own.
  await copy.run(['git', 'apply', '-C1', patch]);
  await copy.bun('run', 'migrations', 'notes');
  await copy.bun('run', 'generate');
  await copy.compile();
  expect(await copy.bun('src/main.ts', 'openapi')).toContain('operationId: createNote');
  await copy.runTests({ few, whole });
}, 600_000);
