/** What an adapter gets for one document: a fresh folder with it, the installed tool, and a way to run it that keeps evidence. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exactJson, indentedExactJson } from './exact-json.ts';
import type { Installation } from './installation.ts';
import type { Document } from './operation.ts';
import { watchFiles } from './written-files.ts';

/** The tool refuses the document, or generates code that a compiler or the language refuses, or ends without having generated anything. */
export type Refused = 'refused' | 'generated, does not load' | 'nothing generated';

/** The tool cannot read the document, or fails on it. It is a finding, not an error of the adapter. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly observed: Refused;

  constructor(message: string, observed: Refused = 'refused') {
    super(message);
    this.observed = observed;
  }
}

/** A command that has ended. */
export interface Run {
  readonly command: string;
  readonly exitCode: number;
  readonly isHidden: boolean;
  readonly text: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Output {
  readonly text: string;
  readonly exitCode: number;
}

export interface RunOptions {
  /** A failure of the command is an answer, and no Refusal. */
  readonly mayFail?: boolean;
  /** For commands that are no use of the tool, such as the compilation of a driver. */
  readonly isHidden?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface Session extends Disposable {
  readonly document: Document;
  /** The files beside it that it names. */
  readonly beside: Beside;
  /** A temporary folder, where commands run. It has `openapi.yaml`, `openapi.json`, and the files that the document names. */
  readonly folder: string;
  readonly file: (name: string) => string;
  readonly installation: Installation;
  /** A package of npm that is installed with the tool. */
  readonly import: <T>(name: string) => Promise<T>;
  /** Runs a command in the folder. The first word is a program of the tool, or of the machine. A failure is a Refusal. */
  readonly run: (command: readonly string[], options?: RunOptions) => Promise<Output>;
  /** Starts a server in the folder, and waits until its output has the text. */
  readonly start: (command: readonly string[], ready: string) => Promise<AsyncDisposable>;
  /** The commands so far, as a user would type them. */
  readonly commands: string[];
  /** What the adapter has written for them, by name. */
  readonly files: ReadonlyMap<string, string>;
  /** What the adapter has written for the other commands too, such as a driver. */
  readonly drivers: ReadonlyMap<string, string>;
  /** Whether the adapter has changed a file that a command had written. */
  readonly hasChangedOutput: () => boolean;
  /** All that have ended, in their order. */
  readonly runs: Run[];
}

/** Texts by name. */
type Beside = ReadonlyMap<string, string>;

interface Written {
  readonly yaml: string;
  readonly document: Document;
  readonly beside?: Beside;
}

const defaultTimeoutMs = 300_000;

/** So that the output is the same on each machine. */
export const plainEnvironment = { NO_COLOR: '1', FORCE_COLOR: '0', RUST_BACKTRACE: '0' };

/** The folder is temporary, unless it is given: that one stays. */
export const openSession = async (
  installation: Installation,
  { yaml, document, beside = new Map() }: Written,
  kept?: string,
): Promise<Session> => {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'openapi-map-'));
  const file = (name: string) => join(folder, name);
  await Promise.all([
    Bun.write(file('openapi.yaml'), yaml),
    Bun.write(file('openapi.json'), indentedExactJson(document)),
    ...[...beside].map(([name, text]) => Bun.write(file(name), text)),
  ]);
  const commands: string[] = [];
  const runs: Run[] = [];
  const [written, drivers] = [watchFiles(folder, beside), watchFiles(folder, beside)];
  const run: Session['run'] = async ([program = '', ...args], options = {}) => {
    const { isHidden = false } = options;
    const command = shown(installation.shown(program), args, folder);
    if (!isHidden) commands.push(command);
    (isHidden ? drivers : written).collect();
    const words = [...installation.program(program), ...args];
    const { timeoutMs = defaultTimeoutMs } = options;
    const startedAt = performance.now();
    const child = Bun.spawn(words, {
      cwd: folder,
      env: { ...process.env, ...plainEnvironment, ...options.env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: timeoutMs,
    });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    written.settle();
    drivers.settle();
    const text = Bun.stripANSI(`${stdout}${stderr}`)
      .replaceAll(`${folder}/`, '')
      .replaceAll(folder, '.')
      // A program names itself as it was called.
      .replaceAll(`${words[0]}: `, `${program}: `);
    runs.push({ command, exitCode, isHidden, text, env: options.env ?? {} });
    if (exitCode !== 0 && !options.mayFail) {
      const isLate = child.signalCode !== null && performance.now() - startedAt >= timeoutMs;
      const failed = isLate ? `has not ended within ${timeoutMs / 1000} s` : 'failed';
      if (isHidden) throw new Error(`${program} ${args.join(' ')} ${failed}: ${text}`);
      throw new Refusal(text);
    }
    return { text, exitCode };
  };
  const start: Session['start'] = async ([program = '', ...args], ready) => {
    commands.push(shown(installation.shown(program), args, folder));
    written.collect();
    const child = Bun.spawn([...installation.program(program), ...args], {
      cwd: folder,
      env: { ...process.env, ...plainEnvironment },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    let output = '';
    const started = Promise.withResolvers<void>();
    const read = async (stream: ReadableStream<Uint8Array>) => {
      for await (const chunk of stream) {
        output += Buffer.from(chunk).toString();
        if (output.includes(ready)) started.resolve();
      }
    };
    void Promise.all([read(child.stdout), read(child.stderr)]);
    const failed = child.exited.then(() => {
      throw new Refusal(output);
    });
    failed.catch(() => undefined);
    await Promise.race([started.promise, failed]);
    return {
      [Symbol.asyncDispose]: async () => {
        child.kill();
        await child.exited;
      },
    };
  };
  return {
    start,
    // As a program parses it, which has no bigints.
    document: JSON.parse(exactJson(document)),
    beside,
    folder,
    file,
    installation,
    import: (name) => installation.import(name),
    run,
    commands,
    files: written.texts,
    drivers: drivers.texts,
    hasChangedOutput: written.hasChangedOutput,
    runs,
    [Symbol.dispose]: () => {
      if (kept === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
};

const shown = (program: string, args: readonly string[], folder: string): string =>
  [program, ...args]
    .map((word) => word.replaceAll(`${folder}/`, ''))
    .map((word) => (/^[\w@./:=+,-]+$/.test(word) || word === program ? word : `'${word}'`))
    .join(' ');
