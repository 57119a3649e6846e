/**
 * Signals that ask the program to end. The first one starts a clean stop. A second one ends it at once, but not SIGHUP: a shell and the kernel
 * both send it when a terminal is closed. SIGQUIT has no handler: it ends a process that hangs, with a core dump.
 */
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { OperatorError, tryTo } from './error.ts';
import { lazy } from './lazy.ts';

/** Resolves to the first signal that asks a server to stop. SIGINT may be one that a shell ignores for its background jobs. */
export const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    onFirst([...new Set<NodeJS.Signals>(['SIGTERM', 'SIGINT', ...handledSignals()])], resolve);
  });

/** Aborts `signal` with an OperatorError, so that a command can clean up. Must be disposed of. */
export const createInterrupt = (): Disposable & { readonly signal: AbortSignal } => {
  const controller = new AbortController();
  const stopListening = onFirst(handledSignals(), () =>
    controller.abort(new OperatorError('Interrupted; nothing was changed.')),
  );
  return { signal: controller.signal, [Symbol.dispose]: stopListening };
};

/** The exit code of a shell for a program that a signal has ended. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/**
 * The signals to handle. The parent may have set others to be ignored, as `nohup` does with SIGHUP. Only Linux shows that: on other systems
 * SIGHUP is not handled.
 */
export const handledSignals = lazy((): readonly NodeJS.Signals[] => {
  const ignored = ignoredSignals();
  if (!ignored) return ['SIGINT', 'SIGTERM'];
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  // Once Deno handles one signal, it ignores no other.
  for (const signal of signals.filter(ignored)) process.on(signal, () => {});
  return signals.filter((signal) => !ignored(signal));
});

/** Calls `listener` at each of these signals. Returns a function that removes the listener. */
export const listenTo = (
  signals: readonly NodeJS.Signals[],
  listener: (signal: NodeJS.Signals) => void,
): (() => void) => {
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
};

const onFirst = (signals: readonly NodeJS.Signals[], stop: (signal: NodeJS.Signals) => void): (() => void) => {
  let isStopping = false;
  return listenTo(signals, (signal) => {
    if (isStopping && signal === 'SIGHUP') return;
    if (isStopping) process.exit(exitCodeOf(signal));
    isStopping = true;
    stop(signal);
  });
};

/** Undefined where the system does not show it. */
const ignoredSignals = (): ((signal: NodeJS.Signals) => boolean) | undefined => {
  const status = tryTo(() => readFileSync('/proc/self/status', 'utf8')) ?? '';
  const [, mask] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status) ?? [];
  if (mask === undefined) return undefined;
  return (signal) => ((BigInt(`0x${mask}`) >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
};
