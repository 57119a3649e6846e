/** openapi-format applies `lesson.overlay.yaml` (Overlay 1.0.0) to the document: its `info` is then that of the lesson. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { parse } from 'yaml';
import { temporaryFolder } from '../tests/support/folder.ts';
import { read } from '../tests/support/project/imports.ts';

const documentIn = (file: string): string => join(import.meta.dir, '../openapi', file);

test('the overlay makes the info of the lesson from that of the document, and changes nothing else', async () => {
  using folder = temporaryFolder();
  const output = folder.file('output.yaml');
  const overlay = ['--overlayFile', documentIn('lesson.overlay.yaml')];
  const program = join(import.meta.dir, 'node_modules/.bin/openapi-format');
  // Without sorting, which is what the program is for.
  const child = Bun.spawn([program, documentIn('openapi.yaml'), ...overlay, '--no-sort', '--output', output], {
    stdout: 'ignore',
    stderr: 'inherit',
  });
  expect(await child.exited).toBe(0);
  const made = parse(await Bun.file(output).text());
  const document = parse(read('openapi/openapi.yaml'));
  expect(made).toEqual({ ...document, info: parse(read('openapi/lesson.yaml')).info });
  expect(made.info).not.toEqual(document.info);
});
