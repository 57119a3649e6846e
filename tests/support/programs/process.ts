import { commandOf, type ProgramName, toProgramName } from './programs.ts';

/** The program in a checkout. */
export const fromSource = commandOf('bun source');

/** TEST_PROGRAM names it. By default, the tests and `bun run faults` test the binary, which starts the fastest, and a single trial the source. */
export const programName: ProgramName = toProgramName(process.env['TEST_PROGRAM'] ?? 'bun source');

export const underTest = commandOf(programName);

/** The program under test, which loads this file first. */
export const withPreloaded = (file: string): readonly string[] => commandOf(programName, file);

/** Neither settings nor a `.env` of the machine that runs the tests reach a program under test. */
const bareEnvironment = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };

export interface RunOptions {
  readonly program?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Options for development mode, which only the source has: the binary always runs in production mode. */
export const inDevelopment = { program: fromSource, env: { NODE_ENV: 'development' } } as const satisfies RunOptions;

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command and waits for its end. */
export const runProgram = async (args: readonly string[], options: RunOptions = {}): Promise<Outcome> => {
  const child = spawn(args, options);
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
};

/** A running `serve`. Use with `await using`, so that it never outlives its test. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** The log so far, a line each. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** All that was written to stdout so far. */
  stdout(): string;
  kill(signal?: NodeJS.Signals): void;
  readonly exited: Promise<number>;
  /** Resolves once the log has a line with this `msg`. */
  logged(message: string): Promise<Readonly<Record<string, unknown>>>;
}

interface ServeOptions extends RunOptions {
  readonly args?: readonly string[];
}

/** Starts `serve` on a free port and waits until its log says that it is ready. */
export const startServer = (database: string, { args = [], ...options }: ServeOptions = {}): Promise<RunningServer> =>
  startServe(['--database', database, ...args], options);

/** The same for `serve --demo`. */
export const startDemo = ({ args = [], ...options }: ServeOptions = {}): Promise<RunningServer> =>
  startServe(['--demo', ...args], options);

const startServe = async (args: readonly string[], options: RunOptions): Promise<RunningServer> => {
  const child = spawn(['serve', '--port', '0', ...args], options);
  const log: Record<string, unknown>[] = [];
  let stdout = '';
  const waiting = new Map<string, (line: Record<string, unknown>) => void>();
  const errorsRead = eachLine(child.stderr, (line) => {
    // A refused start prints one plain line.
    const entry = line.startsWith('{') ? JSON.parse(line) : { msg: line };
    log.push(entry);
    waiting.get(entry.msg)?.(entry);
  });
  void eachLine(child.stdout, (line) => {
    stdout += `${line}\n`;
  });
  const logged = (message: string): Promise<Record<string, unknown>> => {
    const line = log.find(({ msg }) => msg === message);
    return line
      ? Promise.resolve(line)
      : Promise.race([
          new Promise<Record<string, unknown>>((resolve) => waiting.set(message, resolve)),
          child.exited.then(async (exitCode) => {
            await errorsRead;
            throw new Error(`exited with ${exitCode} before it logged "${message}": ${JSON.stringify(log)}`);
          }),
        ]);
  };
  const url = String((await logged('ready'))['url']);
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    log,
    logged,
    stdout: () => stdout,
    kill: (signal = 'SIGTERM') => child.kill(signal),
    exited: child.exited,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
};

/** A running `listen`. Use with `await using`. */
export interface RunningListener extends AsyncDisposable {
  readonly url: string;
  /** Resolves to the line of stdout at the given place, from 0, split at its tabs, once it is there. */
  line(index: number): Promise<string[]>;
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<number>;
}

/** Starts `listen` and waits until it prints its URL. */
export const startListener = async (args: readonly string[], options: RunOptions = {}): Promise<RunningListener> => {
  const child = spawn(['listen', '--port', '0', ...args], options);
  const listening = Promise.withResolvers<string>();
  const lines: string[] = [];
  let arrived = Promise.withResolvers<void>();
  void eachLine(child.stderr, (line) => {
    const url = /^Listening on (http:\S+:\d+)/.exec(line)?.[1];
    if (url !== undefined) listening.resolve(url);
  });
  void eachLine(child.stdout, (line) => {
    lines.push(line);
    arrived.resolve();
    arrived = Promise.withResolvers();
  });
  return {
    url: await listening.promise,
    line: async (index) => {
      while (lines.length <= index) await arrived.promise;
      return (lines[index] ?? '').split('\t');
    },
    kill: (signal) => child.kill(signal),
    exited: child.exited,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
};

/** A running `tail`. Use with `await using`. */
export interface RunningTail extends AsyncDisposable {
  /** Resolves to the first lines of stdout once there are so many. */
  lines(count: number): Promise<readonly string[]>;
  /** All that was written to stderr so far. */
  stderr(): string;
  /** Closes the reading end of stdout. */
  closeStdout(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<number>;
}

export const startTail = (args: readonly string[], options: RunOptions = {}): RunningTail => {
  const child = spawn(['tail', ...args], options);
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let [stdout, stderr] = ['', ''];
  void eachLine(child.stderr, (line) => {
    stderr += `${line}\n`;
  });
  return {
    lines: async (count) => {
      for (;;) {
        const lines = stdout.split('\n').slice(0, -1);
        if (lines.length >= count) return lines;
        const { done, value } = await reader.read();
        if (done) throw new Error(`tail ended after ${stdout}, and said ${stderr}`);
        stdout += decoder.decode(value, { stream: true });
      }
    },
    stderr: () => stderr,
    closeStdout: () => reader.cancel(),
    kill: (signal) => child.kill(signal),
    exited: child.exited,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
};

const spawn = (args: readonly string[], { program = underTest, cwd, env = {} }: RunOptions) =>
  Bun.spawn([...program, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { ...bareEnvironment, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });

const eachLine = async (stream: ReadableStream<Uint8Array>, use: (line: string) => void): Promise<void> => {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) use(line);
  }
};
