/** The packages that generated code imports, and that are installed with the tool. */
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../measure/session.ts';

export const linkPackages = ({ file, installation }: Session): void => {
  if (!existsSync(file('node_modules'))) symlinkSync(join(installation.folder, 'node_modules'), file('node_modules'));
};
