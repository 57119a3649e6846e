/** Schemathesis generates requests of all kinds from the document, follows its links, and validates each response against it. */
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf } from '../tests/support/programs/programs.ts';
import { sqlite } from '../tests/support/store/engines.ts';
import { engines, startService } from './service.ts';

const schemathesis = join(import.meta.dir, '.venv/bin/schemathesis');

/**
 * One check is excluded: that every request that matches the document is accepted. No schema can describe valid cursors, the version
 * of a plant, or public hosts.
 */
const settings = [
  '--exclude-operation-id',
  'importPlants',
  '--exclude-checks',
  'positive_data_acceptance',
  '--max-examples',
  '30',
  '--seed',
  '1',
  '--no-color',
];

/** On Bun with each database, and on the other runtimes. */
const services = [
  ...engines.map((engine) => ({ name: engine.name, engine, options: {} })),
  { name: 'Deno', engine: sqlite, options: { program: commandOf('deno source') } },
  { name: 'Node.js', engine: sqlite, options: { program: commandOf('node source') } },
];

// Skipped without Python. `bun run python` installs it.
test.skipIf(!existsSync(schemathesis)).each(services)(
  'Schemathesis finds no failure on $name',
  async ({ engine, options }) => {
    await using service = await startService(engine, options);
    const authorization = `Authorization: Bearer ${service.token}`;
    const args = ['run', `${service.url}/openapi.json`, '--header', authorization, ...settings];
    const child = Bun.spawn([schemathesis, ...args], { cwd: join(import.meta.dir, 'generated'), stdout: 'pipe' });
    const [output, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
    expect(output).toMatch(/Tested: 21\b/);
    expect(exitCode === 0 ? '' : output).toBe('');
  },
);
