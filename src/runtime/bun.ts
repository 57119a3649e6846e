import { lookUpByDns } from '../base/dns.ts';
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
  lookUp: lookUpByDns,
  // Otherwise Bun reads `.env` and `bunfig.toml` of the working directory. The first line of `src/main.ts` has these flags, too.
  flags: ['--no-env-file', '--config=/dev/null'],
  writeToStderr: (text, onEnd) => void process.stderr.write(text, onEnd),
  openSqlite,
};
