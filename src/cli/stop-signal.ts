/**
 * Resolves to the first signal that asks to stop, so that what runs can stop in order; a second one ends the process at once,
 * with the shell's code for a death by signal.
 */
export const stopSignal = (): Promise<NodeJS.Signals> => {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let isStopping = false;
  for (const [signal, number] of [
    ['SIGTERM', 15],
    ['SIGINT', 2],
  ] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(128 + number);
      isStopping = true;
      resolve(signal);
    });
  }
  return promise;
};
