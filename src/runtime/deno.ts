import { versions } from 'node:process';
import type { Runtime } from './runtime.ts';

export const runtime: Runtime = {
  name: 'deno',
  version: versions['deno'] ?? '',
};
