import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { codeOf } from './error.ts';

/** Whether the process can open another file or connection. The limit is RLIMIT_NOFILE (`ulimit -n`), which Bun raises to the hard limit. */
export const hasFreeDescriptor = (): boolean => {
  try {
    closeSync(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return !['EMFILE', 'ENFILE'].includes(codeOf(error) ?? '');
  }
};
