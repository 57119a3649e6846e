import { versions } from 'node:process';
import { post } from './node-post.ts';
import { serve } from './node-server.ts';
import { openSqlite } from './node-sqlite.ts';
import type { Runtime } from './runtime.ts';
import { readTextsAsModules } from './text-modules.ts';

readTextsAsModules();

export const runtime: Runtime = {
  name: 'node',
  version: versions.node,
  serve,
  post,
  flags: [],
  findForeignFile: () => undefined,
  wasClosed: () => false,
  openSqlite,
  // JavaScript cannot handle this signal here, so the process ends by it.
  exitOnBusError: () => {},
};
