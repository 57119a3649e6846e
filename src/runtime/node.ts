import { versions } from 'node:process';
import { serve } from './node-server.ts';
import type { Runtime } from './runtime.ts';
import { readTextsAsModules } from './text-modules.ts';

readTextsAsModules();

export const runtime: Runtime = {
  name: 'node',
  version: versions.node,
  serve,
  flags: [],
  findForeignFile: () => undefined,
};
