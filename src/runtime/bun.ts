import { readFileSync, readlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import pageScript from '../http/page/assets/scalar-1.72.1-bf091006bdc3.js.gz' with { type: 'file' };
import { post } from './bun-post.ts';
import { serve } from './bun-server.ts';
import { exitOnBusError, openSqlite } from './bun-sqlite.ts';
import type { Runtime } from './runtime.ts';

/** Bun replaces a closed descriptor by /dev/null. Unlike one that a parent has opened, it is closed on exec. Only Linux shows this. */
const wasClosed = (descriptor: number): boolean => {
  try {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== '/dev/null') return false;
    const [, flags = '0'] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    return false;
  }
};

/** O_CLOEXEC of Linux (https://man7.org/linux/man-pages/man2/open.2.html). */
const closeOnExec = 0o2000000;

export const runtime: Runtime = {
  name: 'bun',
  title: 'Bun',
  version: Bun.version,
  timeOrderedUuid: Bun.randomUUIDv7,
  serve,
  post,
  // Otherwise Bun reads `.env` and `bunfig.toml` of the working directory. The first line of `src/main.ts` has these flags, too.
  flags: ['--no-env-file', '--config=/dev/null'],
  // In a bundle the path is relative, otherwise absolute.
  pageScript: resolve(import.meta.dir, pageScript),
  wasClosed,
  writeToStderr: (text, onEnd) => void process.stderr.write(text, onEnd),
  openSqlite,
  exitOnBusError,
};
