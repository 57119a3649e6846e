/** Which files an adapter has written, and which a command has. */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchFiles } from './written-files.ts';

test('a file of a command is not one of the adapter, unless the adapter changes it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'written-'));
  const path = (name: string) => join(folder, name);
  const watched = watchFiles(folder);
  writeFileSync(path('config.json'), '{}');
  watched.collect();
  // The command.
  writeFileSync(path('workflow.yml'), 'made');
  watched.settle();
  watched.collect();
  expect([...watched.texts]).toEqual([['config.json', '{}']]);
  expect(watched.hasChangedOutput()).toBe(false);
  writeFileSync(path('config.json'), '[]');
  utimesSync(path('config.json'), 1, 1);
  watched.collect();
  expect(watched.hasChangedOutput()).toBe(false);
  writeFileSync(path('workflow.yml'), 'changed');
  utimesSync(path('workflow.yml'), 1, 1);
  watched.collect();
  expect(watched.texts.get('workflow.yml')).toBe('changed');
  expect(watched.hasChangedOutput()).toBe(true);
  rmSync(folder, { recursive: true });
});
