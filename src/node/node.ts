import { readFileSync } from 'node:fs';
import * as modules from 'node:module';
import { versions } from 'node:process';
import type { Runtime } from '../runtime/runtime.ts';
import { post } from './post.ts';
import { serve } from './server.ts';
import { openSqlite } from './sqlite.ts';
import { timeOrderedUuid } from './uuid.ts';

// Makes an import with `type: 'text'` the text of the file, as Bun and Deno do. This holds for imports that begin later, so no file that the
// main module imports statically may have such an import. Each command is loaded later. Node versions without it are refused when a command starts.
modules.registerHooks?.({
  load: (url, context, loadNext) => {
    // Without attributes for what CommonJS requires.
    if (context.importAttributes?.['type'] !== 'text') return loadNext(url, context);
    const source = `export default ${JSON.stringify(readFileSync(new URL(url), 'utf8'))};`;
    return { format: 'module', shortCircuit: true, source };
  },
});

export const runtime: Runtime = {
  name: 'node',
  title: 'Node.js',
  version: versions.node,
  serve,
  post,
  flags: [],
  writeToStderr: (text, onEnd) => void process.stderr.write(text, onEnd),
  timeOrderedUuid,
  openSqlite,
};
