/** Starts processes that keep as many processors busy, until the returned object is disposed. */
export const startBusyProcesses = (count: number): Disposable => {
  const children = Array.from({ length: count }, () =>
    Bun.spawn([process.execPath, '-e', 'for (;;);'], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const end = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  // Also when the process is ended by `process.exit`.
  process.once('exit', end);
  return { [Symbol.dispose]: end };
};
