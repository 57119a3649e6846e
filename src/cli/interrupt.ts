import { OperatorError } from '../base/operator-error.ts';
import { exitCodeOf, handledSignals } from '../base/signal.ts';

/**
 * Calls `stop` with the reason at the first signal that asks to end, so that a command can clean up behind itself; a second one
 * ends the process at once, and drafts are removed all the same. Must be disposed of.
 */
export const onInterrupt = (stop: (reason: OperatorError) => void): Disposable => {
  let isStopping = false;
  const interrupt = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(exitCodeOf(signal));
    isStopping = true;
    stop(new OperatorError('Interrupted; the store is as it was before.'));
  };
  const signals = handledSignals();
  for (const signal of signals) process.on(signal, interrupt);
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, interrupt);
    },
  };
};
