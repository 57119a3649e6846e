import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { bundleForNode } from './built-program.ts';
import { commandOn, type RuntimeName } from './runtimes.ts';

/** A program of tests/runtime/ that reads commands from stdin and writes results to stdout, one JSON text a line. */
export interface ProgramOn extends AsyncDisposable {
  readonly pid: number;
  readonly exited: Promise<number>;
  send(command: object): void;
  /** Ends stdin. */
  end(): void;
  /** Resolves to the first result that has this member. */
  result(name: string, value?: unknown): Promise<Readonly<Record<string, unknown>>>;
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What the command begins with. */
  readonly prefix?: readonly string[];
}

/** Starts the file on this runtime. Use with `await using`. */
export const startOn = (runtime: RuntimeName, file: string, { env, prefix = [] }: ProgramOptions = {}): ProgramOn => {
  const path = runtime === 'node' ? bundleForNode(file) : join(import.meta.dir, '../../runtime', file);
  const child = Bun.spawn([...prefix, ...commandOn(runtime, path)], {
    // Deno looks for a newer version of itself once a day.
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', ...env },
    stdin: 'pipe',
    stderr: 'inherit',
  });
  const results: Record<string, unknown>[] = [];
  let arrived = Promise.withResolvers<void>();
  const lines = createInterface({ input: Readable.fromWeb(child.stdout) });
  lines.on('line', (line) => {
    results.push(JSON.parse(line));
    arrived.resolve();
    arrived = Promise.withResolvers();
  });
  const exited = child.exited.then((exitCode) => {
    throw new Error(`${file} exited with ${exitCode} on ${runtime}`);
  });
  exited.catch(() => {});
  return {
    pid: child.pid,
    exited: child.exited,
    send: (command) => {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      void child.stdin.flush();
    },
    end: () => void child.stdin.end(),
    result: async (name, value) => {
      for (;;) {
        const found = results.find((one) => (value === undefined ? name in one : one[name] === value));
        if (found) return found;
        await Promise.race([arrived.promise, exited]);
      }
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
};
