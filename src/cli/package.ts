import { runtime } from '#runtime';
// Node reads JSON only as a whole.
import manifest from '../../package.json' with { type: 'json' };
import { OperatorError } from '../base/error.ts';
import type { Runtime } from '../runtime/runtime.ts';

export const { version } = manifest;

/** Throws OperatorError when package.json requires a newer version of the runtime. No runtime checks that itself. */
export const refuseOldRuntime = ({ name, title, version: own }: Checked = runtime): void => {
  const [, oldest = ''] = manifest.engines[name].split('>=');
  if (own.localeCompare(oldest, 'en', { numeric: true }) >= 0) return;
  throw new OperatorError(`${title} ${oldest} or later is required; this is ${title} ${own}.`);
};

type Checked = Pick<Runtime, 'name' | 'title' | 'version'>;
