import { AppError } from '../domain/error.ts';

/**
 * Calls `stop` with the reason at the first SIGINT or SIGTERM, so that a command can clean up behind itself; a second one
 * ends the process. Must be disposed of.
 */
export const onInterrupt = (stop: (reason: AppError) => void): Disposable => {
  const interrupt = (): void => {
    release();
    stop(new AppError('unavailable', 'Interrupted; the store is as it was before.'));
  };
  const release = (): void => {
    for (const signal of signals) process.off(signal, interrupt);
  };
  for (const signal of signals) process.on(signal, interrupt);
  return { [Symbol.dispose]: release };
};

const signals = ['SIGINT', 'SIGTERM'] as const;
