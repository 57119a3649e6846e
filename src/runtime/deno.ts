import { versions } from 'node:process';
import { serve } from './node-server.ts';
import type { Runtime } from './runtime.ts';

export const runtime: Runtime = {
  name: 'deno',
  version: versions['deno'] ?? '',
  serve,
  flags: ['run', '-A'],
  findForeignFile: () => undefined,
};
