/** The first file of `npm run start:node`: Node.js before 22.18 cannot read `main.ts`, where the version is checked. */
import { readFileSync } from 'node:fs';

import('./main.ts').catch((error) => {
  if (error.code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const oldest = engines.node.slice('>='.length);
  process.stderr.write(
    `plant-store: Node.js ${oldest} or later is required; this is Node.js ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
});
