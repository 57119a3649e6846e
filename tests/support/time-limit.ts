/** For a file that `bun test` loads first (`preload` in bunfig.toml). */
import { setDefaultTimeout } from 'bun:test';

/** The time limit of each test that has no other. It ends what hangs: a busy machine is slow. Bun resets it with each test file. */
export const limitTests = (timeoutMs: number): void =>
  Bun.plugin({
    name: 'timeout',
    setup: (build) => {
      build.onResolve({ filter: /\.test\.ts$/ }, () => {
        setDefaultTimeout(timeoutMs);
        return undefined;
      });
    },
  });
