import { versions } from 'node:process';
import { lookUpByDns } from '../base/dns.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { post } from './post.ts';
import { serve } from './server.ts';
import { openSqlite } from './sqlite.ts';
import { timeOrderedUuid } from './uuid.ts';

export const runtime: Runtime = {
  name: 'node',
  title: 'Node.js',
  version: versions.node,
  serve,
  post,
  lookUp: lookUpByDns,
  flags: [],
  writeToStderr: (text, onEnd) => void process.stderr.write(text, onEnd),
  timeOrderedUuid,
  openSqlite,
};
