import { versions } from 'node:process';
import { writeToStderr } from './deno-stderr.ts';
import { post } from './node-post.ts';
import { serve } from './node-server.ts';
import { openSqlite } from './node-sqlite.ts';
import { timeOrderedUuid } from './node-uuid.ts';
import type { Runtime } from './runtime.ts';

export const runtime: Runtime = {
  name: 'deno',
  title: 'Deno',
  version: versions['deno'] ?? '',
  serve,
  post,
  flags: ['run', '-A'],
  writeToStderr,
  timeOrderedUuid,
  openSqlite,
};
