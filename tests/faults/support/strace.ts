/** Runs the program under strace(1), a package of Debian. Only the thread that runs the program is traced: it does all the writes. */
import { underTest } from '../../support/programs/process.ts';

/** The program under strace with these options. The program stays the direct child, so that signals reach it. */
export const underStrace = (options: readonly string[], program: readonly string[] = underTest): readonly string[] => [
  'strace',
  '--daemonize',
  ...options,
  '--',
  ...program,
];
