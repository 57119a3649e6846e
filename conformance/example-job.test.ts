/** The script and the workflow of `examples/ci/` run with real tools and the program of this checkout. */
import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { devDependencies, version } from '../package.json';
import { temporaryFolder } from '../tests/support/folder.ts';
import { freePort } from '../tests/support/port.ts';

const root = join(import.meta.dir, '..');
const example = (name: string): string => join(root, 'examples/ci', name);
const read = (path: string): Promise<string> => Bun.file(path).text();

// `bun run python` installs them if Python is available.
const schemathesis = join(import.meta.dir, '.venv/bin/schemathesis');
const shellcheck = join(import.meta.dir, '.venv/bin/shellcheck');
const hasPython = existsSync(shellcheck);

/** Used instead of the package. */
const fromSource = `${process.execPath} ${join(root, 'src/main.ts')}`;

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const start = (command: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  Bun.spawn([...command], { cwd: folder.path, env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' });

const run = async (command: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const child = start(command, env);
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
};

/** Resolves to whether no server listens at the URL. */
const isGone = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe('the script', () => {
  const env = { PLANT_STORE: fromSource, PORT: '0' };
  const runScript = (command: string, changes: Readonly<Record<string, string>> = {}) =>
    run([example('run.sh'), 'sh', '-c', command], { ...env, ...changes });
  const urlIn = (text: string): string => /^http:\/\/127\.0\.0\.1:\d+$/m.exec(text)?.[0] ?? 'no URL';

  test.skipIf(!hasPython)(
    'Schemathesis passes when the script runs it, and then the server stops',
    async () => {
      const { exitCode, stdout, stderr } = await runScript(
        `echo "$PLANT_STORE_URL"; ${schemathesis} run "$PLANT_STORE_URL/openapi.json" --phases examples --no-color \
        --header "Authorization: Bearer $PLANT_STORE_TOKEN"`,
      );
      expect(stdout).toMatch(/Tested: [1-9]/);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(await isGone(urlIn(stdout))).toBe(true);
    },
    30_000,
  );

  test('if the tool fails, the script prints the log, stops the server, and exits with the exit code of the tool', async () => {
    const { exitCode, stdout, stderr } = await runScript(
      'echo "$PLANT_STORE_URL"; exec curl --fail --silent --show-error "$PLANT_STORE_URL/plants/1"',
    );
    expect(exitCode).toBe(22);
    const [message, log] = stderr.split('The log of the server ends with:');
    expect(message).toContain('401');
    expect(log).toContain('"status":401');
    expect(await isGone(urlIn(stdout))).toBe(true);
  });

  test('the server stops when the script is stopped before the tool ends', async () => {
    const script = start([example('run.sh'), 'sh', '-c', 'echo "$PLANT_STORE_URL"; exec sleep 5'], env);
    let stdout = '';
    for await (const chunk of script.stdout) {
      stdout += Buffer.from(chunk).toString();
      if (!stdout.includes('\n')) continue;
      expect(await isGone(urlIn(stdout))).toBe(false);
      break;
    }
    script.kill();
    await script.exited;
    expect(await isGone(urlIn(stdout))).toBe(true);
  });

  test('the script does not mistake another server on the port for its own', async () => {
    using other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
    const { exitCode, stdout, stderr } = await runScript('echo reached', { PORT: `${other.port}` });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(
      /^The server stopped before it was ready\.\nThe log of the server ends with:\n.*it is in use/,
    );
  });

  test('the script stops a server that does not become ready in time', async () => {
    await Bun.write(folder.file('silent.sh'), `echo $$ >'${folder.file('pid')}'; exec sleep 60`);
    const changes = { PLANT_STORE: `sh ${folder.file('silent.sh')}`, START_SECONDS_MAX: '1' };
    const { exitCode, stdout, stderr } = await runScript('echo reached', changes);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toStartWith('The server was not ready within 1 s.\n');
    const pid = Number(await read(folder.file('pid')));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('without a command the script explains its usage', async () => {
    const { exitCode, stderr } = await run([example('run.sh')]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: 'usage: run.sh COMMAND [ARGUMENT...]\n' });
  });

  test.skipIf(!hasPython)('ShellCheck finds no problem in the script', async () => {
    expect(await run([shellcheck, example('run.sh')])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });
});

describe('the workflow', () => {
  // actionlint is built from its Go module, and looks for ShellCheck beside it.
  test.skipIf(Bun.which('go') === null || !hasPython)(
    'actionlint finds no error in the workflow, and finds one in a wrong copy',
    async () => {
      const actionlint = ['go', 'run', 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12', '-shellcheck', shellcheck];
      expect(await run([...actionlint, example('plant-store.yml')])).toMatchObject({ exitCode: 0, stdout: '' });
      await Bun.write(
        folder.file('wrong.yml'),
        (await read(example('plant-store.yml'))).replace('runs-on:', 'runs_on:'),
      );
      expect((await run([...actionlint, folder.file('wrong.yml')])).stdout).toContain('runs_on');
    },
    60_000,
  );

  test.skipIf(!hasPython)(
    'the steps of the workflow run Schemathesis, and it passes',
    async () => {
      const { env, steps } = await readJob();
      const [tool] = /^schemathesis==.*$/m.exec(await read(join(import.meta.dir, 'requirements.txt'))) ?? [];
      const commands = steps.flatMap((step) =>
        step.if === undefined && step.run !== undefined ? [step.run.trim()] : [],
      );
      const script = `trap 'kill $!; wait' EXIT\n${commands.join('\n')} --phases examples --no-color`
        .replace(`bunx plant-store@${version} `, `${fromSource} `)
        .replace(`pipx run ${tool} `, `${schemathesis} `);
      expect(script).not.toMatch(/bunx|pipx/);
      const port = `${await freePort()}`;
      const ours = { ...env, PORT: port, PLANT_STORE_URL: `http://127.0.0.1:${port}` };
      const { exitCode, stdout } = await run(['bash', '-e', '-c', script], ours);
      expect(stdout).toMatch(/Tested: [1-9]/);
      expect(exitCode).toBe(0);
    },
    30_000,
  );

  test('the workflow installs the version of Bun that the service is tested with', async () => {
    expect((await readJob()).steps.map((step) => step.with?.['bun-version'])).toContain(devDependencies['bun-types']);
  });
});

test('the example job uses the version of the package', async () => {
  const texts = await Promise.all(['run.sh', 'plant-store.yml', 'README.md'].map((name) => read(example(name))));
  const packages = texts.map((text) => text.match(/plant-store@[\w.-]+/g) ?? []);
  expect(packages.every((names) => names.length > 0)).toBe(true);
  expect([...new Set(packages.flat())]).toEqual([`plant-store@${version}`]);
});

interface Job {
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly if?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, string>>;
  }[];
}

/** The only job of the workflow. */
const readJob = async (): Promise<Job> => parse(await read(example('plant-store.yml'))).jobs.schemathesis;
