import { versions } from 'node:process';
import type { Runtime } from '../runtime/runtime.ts';
import { lookUp } from './deno-look-up.ts';
import { post } from './deno-post.ts';
import { writeToStderr } from './deno-stderr.ts';
import { serve } from './server.ts';
import { openSqlite } from './sqlite.ts';
import { timeOrderedUuid } from './uuid.ts';

export const runtime: Runtime = {
  name: 'deno',
  title: 'Deno',
  version: versions['deno'] ?? '',
  serve,
  post,
  lookUp,
  flags: ['run', '-A'],
  writeToStderr,
  timeOrderedUuid,
  openSqlite,
};
