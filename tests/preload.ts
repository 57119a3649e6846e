/** `bun test` loads this file first, in each of its processes (bunfig.toml). */
import { setDefaultTimeout } from 'bun:test';
import { join } from 'node:path';

/** Some tests wait for limits of many seconds, and a busy machine is slow. */
setDefaultTimeout(60_000);

/** `process.ts` builds it when a test file imports that. */
process.env['TEST_PROGRAM'] = join(import.meta.dir, '../dist/plant-store');
