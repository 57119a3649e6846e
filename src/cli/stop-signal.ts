import { exitCodeOf } from '../base/signal.ts';

/**
 * Resolves to the first signal that asks to stop, so that what runs can stop in order; a second one ends the process at once,
 * with the shell's code for a death by signal.
 */
export const stopSignal = (): Promise<NodeJS.Signals> => {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(exitCodeOf(signal));
      isStopping = true;
      resolve(signal);
    });
  }
  return promise;
};
