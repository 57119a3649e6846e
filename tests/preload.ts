/** `bun test` loads this file first, in each of its processes (bunfig.toml). */
import { setDefaultTimeout } from 'bun:test';

/** Some tests wait for limits of many seconds, and a busy machine is slow. Bun resets the default with each test file. */
Bun.plugin({
  name: 'timeout',
  setup: (build) => {
    build.onResolve({ filter: /\.test\.ts$/ }, () => {
      setDefaultTimeout(60_000);
      return undefined;
    });
  },
});

/** `process.ts` builds the program when a test file imports that. */
process.env['TEST_PROGRAM'] ??= 'binary';
