/** The script and the workflow of `examples/ci/` run with real tools and the program of this checkout. */
import { afterAll, describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { parse } from 'yaml';
import { engines, version } from '../package.json';
import { temporaryFolder } from '../tests/support/folder.ts';
import { freePort } from '../tests/support/network/port.ts';
import { executableOf } from '../tests/support/programs/runtimes.ts';

const root = join(import.meta.dir, '..');
const example = (name: string): string => join(root, 'examples/ci', name);
const read = (path: string): Promise<string> => Bun.file(path).text();

// `bun run python` installs them if Python is available.
const schemathesis = join(import.meta.dir, '.venv/bin/schemathesis');
const shellcheck = join(import.meta.dir, '.venv/bin/shellcheck');
const hasPython = existsSync(shellcheck);

/** The command line of the program in this checkout. */
const fromSource = `${process.execPath} ${join(root, 'src/main.ts')}`;

const folder = temporaryFolder();

/** A PATH with Bun, whose own file may have another name. */
const withBun = [folder.file('bin'), process.env['PATH']].join(delimiter);
mkdirSync(folder.file('bin'));
symlinkSync(process.execPath, folder.file('bin/bun'));

/** A PATH with the Node that the service is tested with. */
const withNode = [dirname(executableOf('node')), process.env['PATH']].join(delimiter);

afterAll(() => folder[Symbol.dispose]());

const start = (command: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = folder.path) =>
  Bun.spawn([...command], { cwd, env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' });

const run = async (command: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = folder.path) => {
  const child = start(command, env, cwd);
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

  test.skipIf(!hasPython)('Schemathesis passes when the script runs it, and then the server stops', async () => {
    const { exitCode, stdout, stderr } = await runScript(
      `echo "$PLANT_STORE_URL"; ${schemathesis} run "$PLANT_STORE_URL/openapi.json" --phases examples --no-color --exclude-operation-id importPlants --exclude-operation-id putPicture \
        --header "Authorization: Bearer $PLANT_STORE_TOKEN"`,
    );
    expect(stdout).toMatch(/Tested: [1-9]/);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(await isGone(urlIn(stdout))).toBe(true);
  });

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

  test('without PLANT_STORE the script starts the server of its checkout', async () => {
    const changes = { PLANT_STORE: '', PATH: withBun };
    const { exitCode, stdout, stderr } = await runScript(
      'curl --fail --silent "$PLANT_STORE_URL/openapi.json" | head -c 10; echo; echo "$PLANT_STORE_URL"',
      changes,
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toStartWith('{"openapi"');
    expect(await isGone(urlIn(stdout))).toBe(true);
  });

  test.skipIf(Bun.which('npm') === null)(
    'with PLANT_STORE_PACKAGE the script installs the package, and starts its server on Node',
    async () => {
      const file = relative(folder.path, await packageFile());
      const changes = { PLANT_STORE: '', PLANT_STORE_PACKAGE: file, PATH: withNode };
      const { exitCode, stdout, stderr } = await runScript(
        `echo "$PLANT_STORE_URL"; curl --fail --silent "$PLANT_STORE_URL/metrics" --header "Authorization: Bearer $PLANT_STORE_TOKEN"`,
        changes,
      );
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toContain('runtime="node"');
      expect(await isGone(urlIn(stdout))).toBe(true);
    },
  );

  test('a script outside of a checkout asks for the package', async () => {
    const copy = folder.file('copy.sh');
    copyFileSync(example('run.sh'), copy);
    const { exitCode, stdout, stderr } = await run([copy, 'echo', 'reached'], { PLANT_STORE: '' });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toStartWith('The script is not in a checkout. Set PLANT_STORE_PACKAGE ');
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
  );

  test.skipIf(!hasPython)('the steps of the workflow run Schemathesis, and it passes', async () => {
    const { env, steps } = await readJob();
    using work = temporaryFolder();
    const [tool] = /^schemathesis==.*$/m.exec(await read(join(import.meta.dir, 'requirements.txt'))) ?? [];
    const commands = steps.flatMap((step) =>
      step.if === undefined && step.run !== undefined ? [step.run.trim()] : [],
    );
    const script = `trap 'kill $!; wait' EXIT\n${commands.join('\n')} --phases examples --no-color`.replace(
      `pipx run ${tool} `,
      `${schemathesis} `,
    );
    expect(script).not.toContain('pipx');
    await vendorPackage(work.path);
    const port = `${await freePort()}`;
    const ours = { ...env, PATH: withNode, PORT: port, PLANT_STORE_URL: `http://127.0.0.1:${port}` };
    const { exitCode, stdout } = await run(['bash', '-e', '-c', script], ours, work.path);
    expect(stdout).toMatch(/Tested: [1-9]/);
    expect(exitCode).toBe(0);
  });

  test.skipIf(Bun.which('npm') === null)(
    'the workflow starts the vendored package after it checks out the repository, and waits until it is ready',
    async () => {
      const { env, steps } = await readJob();
      expect(steps[0]?.uses).toStartWith('actions/checkout@');
      using work = temporaryFolder();
      await vendorPackage(work.path);
      const port = `${await freePort()}`;
      const ours = { ...env, PATH: withNode, PORT: port, PLANT_STORE_URL: `http://127.0.0.1:${port}` };
      const then = `curl --fail --silent "$PLANT_STORE_URL/plants/1" --header "Authorization: Bearer $PLANT_STORE_TOKEN"; kill $!; wait`;
      const { exitCode, stdout } = await run(['bash', '-e', '-c', `${firstCommand(steps)}\n${then}`], ours, work.path);
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('"id":1,') });
    },
  );

  test.each([
    ['', /^Set PLANT_STORE_PACKAGE to the path or the URL of the npm package of Plant Store\.\n$/],
    ['./vendor/none.tgz', /no such file or directory, open '.*none\.tgz'/],
  ])(
    'the workflow fails with PLANT_STORE_PACKAGE=%p before it waits for a server, and prints the reason',
    async (file, message) => {
      const { env, steps } = await readJob();
      using work = temporaryFolder();
      const ours = { ...env, PATH: withNode, PLANT_STORE_PACKAGE: file };
      const { exitCode, stderr } = await run(['bash', '-e', '-c', firstCommand(steps)], ours, work.path);
      expect(exitCode).not.toBe(0);
      expect(stderr).toMatch(message);
    },
  );

  test('the workflow fails when the server stops before it is ready', async () => {
    const { env, steps } = await readJob();
    using work = temporaryFolder();
    await vendorPackage(work.path);
    await using other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(null, { status: 404 }) });
    const ours = { ...env, PATH: withNode, PORT: `${other.port}`, PLANT_STORE_URL: `http://127.0.0.1:${other.port}` };
    const { exitCode, stderr } = await run(['bash', '-e', '-c', firstCommand(steps)], ours, work.path);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'The server stopped before it was ready.\n' });
  });

  test('the commands in the workflow and in its README make the file that the workflow installs', async () => {
    const { env } = await readJob();
    const commands = [
      /^.*bun@\S+ run package$/m,
      /^.*mkdir -p REPOSITORY\/vendor && cp dist\/(.*\.tgz) REPOSITORY\/vendor\/$/m,
    ];
    for (const file of ['plant-store.yml', 'README.md'])
      for (const command of commands) expect(await read(example(file))).toMatch(command);
    const [, copied] = commands[1]?.exec(await read(example('README.md'))) ?? [];
    expect(env['PLANT_STORE_PACKAGE']).toBe(`./vendor/${copied}`);
  });

  test('the workflow pins each action by the id of a commit, and names its version', async () => {
    const actions = [...(await read(example('plant-store.yml'))).matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('the workflow installs a Node on which the service runs', async () => {
    const major = Number.parseInt(engines.node.slice(2), 10);
    expect((await readJob()).steps.map((step) => step.with?.['node-version'])).toContain(major);
  });
});

/** Puts the package where the workflow expects it in a repository. */
const vendorPackage = async (repository: string): Promise<void> => {
  mkdirSync(join(repository, 'vendor'));
  copyFileSync(await packageFile(), join(repository, `vendor/plant-store-${version}.tgz`));
};

/** The command that starts the server. */
const firstCommand = (steps: Job['steps']): string => steps.find((step) => step.run !== undefined)?.run ?? '';

/** Builds the package, and returns the path of its tarball. */
const packageFile = async (): Promise<string> => {
  expect(await run([process.execPath, join(root, 'release/npm-package.ts'), folder.path])).toMatchObject({
    exitCode: 0,
  });
  return folder.file(`plant-store-${version}.tgz`);
};

interface Job {
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly if?: string;
    readonly run?: string;
    readonly uses?: string;
    readonly with?: Readonly<Record<string, string | number>>;
  }[];
}

/** The only job of the workflow. */
const readJob = async (): Promise<Job> => parse(await read(example('plant-store.yml'))).jobs.schemathesis;
