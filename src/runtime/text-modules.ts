import { readFileSync } from 'node:fs';
import * as modules from 'node:module';

/**
 * Makes an import with `type: 'text'` the text of the file, as Bun and Deno do. This holds for imports that begin later, so no file that the
 * main module imports statically may have such an import. Each command is loaded later.
 */
export const readTextsAsModules = (): void => {
  // Absent from versions of Node that are refused when a command starts.
  modules.registerHooks?.({
    load: (url, context, loadNext) => {
      // Without attributes for what CommonJS requires.
      if (context.importAttributes?.['type'] !== 'text') return loadNext(url, context);
      const source = `export default ${JSON.stringify(readFileSync(new URL(url), 'utf8'))};`;
      return { format: 'module', shortCircuit: true, source };
    },
  });
};
