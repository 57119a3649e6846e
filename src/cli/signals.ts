import { OperatorError } from '../base/operator-error.ts';
import { exitCodeOf, handledSignals, listenTo } from '../base/signal.ts';

/** Resolves to the first signal that asks a server to stop, so that it can stop in order; a second one ends it at once. */
export const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    onFirst(['SIGTERM', 'SIGINT'], resolve);
  });

/**
 * Aborts `signal` with an OperatorError at the first signal that asks to end, so that a command can clean up behind itself; a
 * second one ends the process at once, and drafts are removed all the same. Must be disposed of.
 */
export const createInterrupt = (): Disposable & { readonly signal: AbortSignal } => {
  const controller = new AbortController();
  const stopListening = onFirst(handledSignals(), () =>
    controller.abort(new OperatorError('Interrupted; the store is as it was before.')),
  );
  return { signal: controller.signal, [Symbol.dispose]: stopListening };
};

/** Calls `stop` at the first of these signals; the second exits with the shell's code for a death by signal. */
const onFirst = (signals: readonly NodeJS.Signals[], stop: (signal: NodeJS.Signals) => void): (() => void) => {
  let isStopping = false;
  return listenTo(signals, (signal) => {
    if (isStopping) process.exit(exitCodeOf(signal));
    isStopping = true;
    stop(signal);
  });
};
