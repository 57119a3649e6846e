import { serve } from './bun-server.ts';
import type { Runtime } from './runtime.ts';

export const runtime: Runtime = {
  name: 'bun',
  version: Bun.version,
  serve,
};
