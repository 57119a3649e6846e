/** `bun test` loads this file first (bunfig.toml). */
import { limitTests } from '../tests/support/time-limit.ts';

/** Other checks of CI run beside them. */
limitTests(600_000);

/** It starts in a third of the time of the source. `process.ts` builds it when a test file imports that. */
process.env['TEST_PROGRAM'] ??= 'binary';
