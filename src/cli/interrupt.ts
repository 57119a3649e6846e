import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { AppError } from '../domain/error.ts';

/**
 * Calls `stop` with the reason at the first SIGINT, SIGTERM or SIGHUP, so that a command can clean up behind itself; a second
 * one ends the process at once, and drafts are removed all the same. Must be disposed of.
 */
export const onInterrupt = (stop: (reason: AppError) => void): Disposable => {
  let isStopping = false;
  const interrupt = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(128 + constants.signals[signal]);
    isStopping = true;
    stop(new AppError('unavailable', 'Interrupted; the store is as it was before.'));
  };
  const handled = signals.filter((signal) => !isIgnored(signal));
  for (const signal of handled) process.on(signal, interrupt);
  return {
    [Symbol.dispose]: () => {
      for (const signal of handled) process.off(signal, interrupt);
    },
  };
};

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Whether the parent has had the signal ignored, as `nohup` does; a handler would undo that. Only Linux tells. */
const isIgnored = (signal: (typeof signals)[number]): boolean => {
  if (process.platform !== 'linux') return signal === 'SIGHUP';
  const [, mask = '0'] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return ((BigInt(`0x${mask}`) >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
};
