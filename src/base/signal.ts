import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/** The exit code of a shell for a program that a signal has ended. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/**
 * The signals that ask a program to end, as far as they may be handled. The parent has the others ignored, as `nohup` does
 * with SIGHUP; a handler would undo that.
 */
export const handledSignals = (): NodeJS.Signals[] =>
  (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).filter((signal) => !isIgnored(signal));

/** Calls `listener` at each of these signals, until the function that it returns is called. */
export const listenTo = (
  signals: readonly NodeJS.Signals[],
  listener: (signal: NodeJS.Signals) => void,
): (() => void) => {
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
};

/** Only Linux shows this; elsewhere SIGHUP is not handled. */
const isIgnored = (signal: NodeJS.Signals): boolean => {
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
