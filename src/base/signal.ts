import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/** The signals that ask a program to end. */
export const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndSignal = (typeof endSignals)[number];

/** The exit code of a shell for a program that a signal has ended. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** Those that may be handled. The parent has the others ignored, as `nohup` does with SIGHUP; a handler would undo that. */
export const handledSignals = (): EndSignal[] => endSignals.filter((signal) => !isIgnored(signal));

/** Only Linux tells; elsewhere SIGHUP is left alone. */
const isIgnored = (signal: EndSignal): boolean => {
  const [, mask] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readStatus()) ?? [];
  if (mask === undefined) return signal === 'SIGHUP';
  return ((BigInt(`0x${mask}`) >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
};

const readStatus = (): string => {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
};
