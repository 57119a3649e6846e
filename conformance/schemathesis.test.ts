/** Schemathesis generates requests of all kinds from the document, follows its links, and validates each response against it. */
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { engines, startService } from './service.ts';

const schemathesis = join(import.meta.dir, '.venv/bin/schemathesis');

/**
 * One check is excluded: that every request that matches the document is accepted. No schema can describe valid cursors, the version
 * of a plant, or public hosts.
 */
const options = ['--exclude-checks', 'positive_data_acceptance', '--max-examples', '30', '--seed', '1', '--no-color'];

// Skipped without Python. `bun run python` installs it.
test.skipIf(!existsSync(schemathesis)).each(engines)(
  'Schemathesis finds no failure on $name',
  async (engine) => {
    await using service = await startService(engine);
    const authorization = `Authorization: Bearer ${service.token}`;
    const args = ['run', `${service.url}/openapi.json`, '--header', authorization, ...options];
    const child = Bun.spawn([schemathesis, ...args], { cwd: join(import.meta.dir, 'generated'), stdout: 'pipe' });
    const [output, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
    expect(output).toMatch(/Tested: 16\b/);
    expect(exitCode === 0 ? '' : output).toBe('');
  },
  120_000,
);
