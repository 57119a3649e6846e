/** Schemathesis makes requests of all kinds from the document, follows its links, and holds each answer to it. */
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { engines, startService } from './service.ts';

const schemathesis = join(import.meta.dir, '.venv/bin/schemathesis');

/**
 * One check is left out: that all that fits the document is accepted. No schema tells which cursors are ours, which version a
 * plant has, or which hosts are public.
 */
const options = ['--exclude-checks', 'positive_data_acceptance', '--max-examples', '30', '--seed', '1', '--no-color'];

// Without Python there is none; `bun run python` installs it.
test.skipIf(!existsSync(schemathesis)).each(engines)(
  'Schemathesis has nothing to object to on $name',
  async (engine) => {
    await using service = await startService(engine);
    const authorization = `Authorization: Bearer ${service.token}`;
    const args = ['run', `${service.url}/openapi.json`, '--header', authorization, ...options];
    const child = Bun.spawn([schemathesis, ...args], { cwd: join(import.meta.dir, 'generated'), stdout: 'pipe' });
    const [said, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
    expect(said).toMatch(/Tested: 16\b/);
    expect(exitCode === 0 ? '' : said).toBe('');
  },
  120_000,
);
