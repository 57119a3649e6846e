import { resolve } from 'node:path';
import pageScript from '../http/page/assets/scalar-1.72.1-bf091006bdc3.js.gz' with { type: 'file' };
import { post } from './bun-post.ts';
import { serve } from './bun-server.ts';
import { openSqlite } from './bun-sqlite.ts';
import type { Runtime } from './runtime.ts';

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
  writeToStderr: (text, onEnd) => void process.stderr.write(text, onEnd),
  openSqlite,
};
