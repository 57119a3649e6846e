import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { commandOn, runtimeNames } from '../support/programs/runtimes.ts';

test.each(runtimeNames)('the report of an error has no value that the engine of %s writes into its message', (name) => {
  const command = [...commandOn(name, join(import.meta.dir, 'print-errors.ts')), 'whsec_hidden'];
  const { stdout, stderr } = Bun.spawnSync(command);
  expect(stderr.toString()).toBe('');
  const reports = stdout.toString();
  expect(reports.match(/^(?:Type|Range|Syntax)Error/gm)?.length).toBeGreaterThan(15);
  expect(reports).not.toContain('hidden');
});
