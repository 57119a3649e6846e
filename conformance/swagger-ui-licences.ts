/**
 * Prints the licences of Swagger UI and of the packages in its script, as JSON for `src/pages/assets/swagger-ui-licences.json`. They are
 * the texts that its package comes with: its source map does not have the versions of the packages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Licence, packageIn } from '../release/packages.ts';

const folder = join(import.meta.dir, 'node_modules/swagger-ui-dist');

export const createSwaggerUiLicences = (): readonly Licence[] => {
  const texts = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'].map((name) =>
    readFileSync(join(folder, name), 'utf8').trim(),
  );
  return [{ text: texts.join('\n\n'), packages: [packageIn(folder)] }];
};

if (import.meta.main) console.log(JSON.stringify(createSwaggerUiLicences(), null, 2));
