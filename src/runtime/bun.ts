import { resolve } from 'node:path';
import scalar from '../assets/scalar-1.72.1-bf091006bdc3.js.gz' with { type: 'file' };
import swaggerUiStyle from '../assets/swagger-ui-5.35.0-5ed08757e53d.css.gz' with { type: 'file' };
import swaggerUiScript from '../assets/swagger-ui-5.35.0-e6a898692f2d.js.gz' with { type: 'file' };
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
  // In a bundle a path is relative, otherwise absolute.
  pageAssets: [scalar, swaggerUiScript, swaggerUiStyle].map((path) => resolve(import.meta.dir, path)),
  writeToStderr: (text, onEnd) => void process.stderr.write(text, onEnd),
  openSqlite,
};
