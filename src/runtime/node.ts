import { versions } from 'node:process';
import { post } from './node-post.ts';
import { serve } from './node-server.ts';
import { openSqlite } from './node-sqlite.ts';
import { timeOrderedUuid } from './node-uuid.ts';
import type { Runtime } from './runtime.ts';
import { readTextsAsModules } from './text-modules.ts';

readTextsAsModules();

export const runtime: Runtime = {
  name: 'node',
  title: 'Node.js',
  version: versions.node,
  serve,
  post,
  flags: [],
  findForeignFile: () => undefined,
  wasClosed: () => false,
  writeToStderr: (text, onEnd) => void process.stderr.write(text, onEnd),
  timeOrderedUuid,
  openSqlite,
  // JavaScript cannot handle this signal here, so the process ends by it.
  exitOnBusError: () => {},
};
