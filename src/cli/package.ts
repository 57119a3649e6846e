import { runtime as ownRuntime } from '#runtime';
// Node reads JSON only as a whole.
import manifest from '../../package.json' with { type: 'json' };
import { OperatorError } from '../base/error.ts';
import type { Runtime } from '../runtime/runtime.ts';

export const { version } = manifest;

/** Throws OperatorError when package.json requires a newer version of the runtime. No runtime checks that itself. */
export const refuseOldRuntime = (runtime: Pick<Runtime, 'name' | 'version'> = ownRuntime): void => {
  const [, oldest = ''] = manifest.engines[runtime.name].split('>=');
  if (runtime.version.localeCompare(oldest, 'en', { numeric: true }) >= 0) return;
  const label = { bun: 'Bun', deno: 'Deno', node: 'Node.js' }[runtime.name];
  throw new OperatorError(`${label} ${oldest} or later is required; this is ${label} ${runtime.version}.`);
};
