/** The npm package: its contents, and that it needs only Node, Deno or Bun. Nothing is downloaded, since it has no dependencies. */
import { beforeAll, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import manifest from '../../package.json';
import { demoToken } from '../../src/tokens/sample.ts';
import { expectPages } from '../support/app/served-pages.ts';
import { temporaryFolder } from '../support/folder.ts';
import { buildPackage, folderOfPackage, packedTarball, unpacked } from '../support/programs/built-program.ts';
import { childlessIn, killIn, processesIn } from '../support/programs/folder-processes.ts';
import { type RunOptions, runProgram, startDemo } from '../support/programs/process.ts';
import { executableOf, type RuntimeName, runtimeNames } from '../support/programs/runtimes.ts';
import { startRegistry } from '../support/project/package-registry.ts';

const root = join(import.meta.dir, '../..');
const { name } = manifest;

/** Runs a command that must succeed. */
const run = async (program: string[], options: RunOptions): Promise<string> => {
  const { exitCode, stdout, stderr } = await runProgram([], { ...options, program });
  expect(exitCode, stderr).toBe(0);
  return stdout;
};

/** npm belongs to the machine, and runs on the Node of its PATH. */
const npm = (name: string): [string, string][] => [[name, realpathSync(Bun.which(name) ?? '/no/npm')]];

/** The programs of each runtime, by their names. */
const programsOf = (name: RuntimeName): [string, string][] => {
  const executable = executableOf(name);
  if (name === 'bun')
    return [
      ['bun', executable],
      ['bunx', executable],
    ];
  return [[name, executable], ...(name === 'node' ? [...npm('npm'), ...npm('npx')] : [])];
};

/** An empty folder, and an environment with an empty home and no other programs than these and a shell. */
const createConsumer = (...names: RuntimeName[]) => {
  const folder = temporaryFolder();
  const cwd = folder.file('work');
  const env = { PATH: folder.file('bin'), HOME: folder.file('home') };
  for (const path of [cwd, env.PATH, env.HOME]) mkdirSync(path);
  for (const [name, path] of [['sh', '/bin/sh'] as const, ...names.flatMap(programsOf)])
    symlinkSync(path, join(env.PATH, name));
  /** A command by the path of its program. */
  const command = ([name = '', ...args]: readonly string[]) => [join(env.PATH, name), ...args];
  return { ...folder, cwd, env, command };
};

/** The manifest in the package. */
const packed = () => JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));

/** What it exports, without the types. */
const exportedFiles = () => Object.keys(packed().exports).filter((path) => path !== './app');

beforeAll(buildPackage);

describe('the contents of the package', () => {
  const files = () => readdirSync(unpacked, { recursive: true, encoding: 'utf8' }).filter(isFile);
  const isFile = (name: string): boolean => statSync(join(unpacked, name)).isFile();
  const read = (name: string): string => readFileSync(join(unpacked, name), 'utf8');
  const exported = (): string[] => exportedFiles().map((path) => path.replace('./', ''));

  test('the package has the bundle, the documents that it exports, the type of the app, the README and the licences, and nothing else', () => {
    const texts = ['README.md', 'LICENSE', 'THIRD-PARTY-LICENSES.txt'];
    const expected = [...exported(), 'app.d.ts', 'main.js', ...texts];
    const isOfBundle = (name: string): boolean =>
      /^(?:[a-z]+(?:-[a-z]+|-\d\.\d)?-\w{8}\.js|(?:runtime|node|pages\/assets|postgres\/driver)\/[\w-]+\.js|assets\/(?:scalar|swagger-ui)-[\w.-]+\.(?:css|js)\.gz)$/.test(
        name,
      );
    expect(
      files()
        .filter((name) => !isOfBundle(name))
        .sort(),
    ).toEqual(expected.sort());
    expect(files().filter(isOfBundle).length).toBeGreaterThan(15);
  });

  test('the package exports every document of the repository', () => {
    const documents = [...readdirSync(join(root, 'openapi')), 'features.json', 'features.schema.json'];
    expect(documents).toContain('openapi.yaml');
    expect(documents.filter((name) => !exported().includes(name))).toEqual([]);
  });

  test.skipIf(Bun.which('npm') === null)('npm packs the same files as Bun', async () => {
    using folder = temporaryFolder();
    await run(['npm', 'pack', '--pack-destination', folder.path], { cwd: folderOfPackage });
    await run(['tar', '-xzf', folder.file(basename(packedTarball))], { cwd: folder.path });
    await run(['diff', '--recursive', folder.file('package'), unpacked], { cwd: folder.path });
  });

  test('the package is at most 2.8 MB, or 7.7 MB unpacked', () => {
    expect(statSync(packedTarball).size).toBeLessThan(2_800_000);
    expect(files().reduce((total, name) => total + statSync(join(unpacked, name)).size, 0)).toBeLessThan(7_700_000);
  });

  test('the package installs no other package, and runs no script when it is installed', () => {
    const { version, license, engines } = manifest;
    expect(packed()).toMatchObject({ name: 'plant-store', version, license, engines });
    expect(Object.keys(packed()).filter((name) => /dependencies|scripts|private/i.test(name))).toEqual([]);
  });

  test('the package does not name a folder of the machine that made it', () => {
    expect(files().filter((name) => read(name).includes(root))).toEqual([]);
  });

  test('the package has the licence of each dependency in its bundle', () => {
    const bundle = files()
      .filter((name) => name.endsWith('.js'))
      .map(read)
      .join('\n');
    // In a copy, `node_modules` can be a link.
    const bundled = new Set(
      [...bundle.matchAll(/^ *\/\/ (?:[\w./-]*?\/)?node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/gm)].map(([, name]) => name),
    );
    expect(bundled).toContain('elysia');
    const licences = read('THIRD-PARTY-LICENSES.txt');
    const titles = new Set([...licences.matchAll(/^(\S+) \d+\.\d+\.\d+, [\w.-]+$/gm)].map(([, name]) => name));
    expect([...bundled].filter((name) => !titles.has(name))).toEqual([]);
    expect(licences.match(/permission notice/gi)?.length).toBeGreaterThan(20);
  });

  test('the package exports the same document that is served', () => {
    const yaml = Bun.YAML.parse(read('openapi.yaml'));
    expect(JSON.parse(read('openapi.json'))).toEqual(yaml);
  });
});

/** What installs the package by its name and runs it. */
const byName: Readonly<Record<RuntimeName, readonly string[]>> = {
  node: ['npx', '--yes', name],
  deno: ['deno', 'run', '-A', `npm:${name}`],
  bun: ['bunx', name],
};

const file = basename(packedTarball);

/** What makes the program of the package available to a script, and what starts it. */
const scripts: Readonly<Record<RuntimeName, readonly [string, string]>> = {
  node: [`npm install --silent --prefix demo ./${file}`, 'demo/node_modules/.bin/plant-store'],
  deno: [`tar -xzf ${file}`, 'deno run -A package/main.js'],
  bun: ['', `bunx --package "$PWD/${file}" plant-store`],
};

const runtimeOf = async (url: string): Promise<string | undefined> => {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${demoToken}` } });
  return /^plant_store_build_info\{.*\bruntime="(\w+)"/m.exec(await response.text())?.[1];
};

describe.each(runtimeNames)('the package, with %s alone, in an empty folder and with an empty home', (runtime) => {
  test('one command installs it and runs the demo, which leaves nothing behind when it is stopped', async () => {
    using registry = startRegistry(packedTarball, packed());
    using consumer = createConsumer(runtime);
    const { cwd, command } = consumer;
    const env = { ...consumer.env, ...registry.env };
    // It belongs to another program.
    writeFileSync(join(cwd, '.env'), 'PORT=nonsense\n');
    // npx does not pass a signal on.
    await using _ = { [Symbol.asyncDispose]: () => killIn(cwd) };
    await using server = await startDemo({ program: command(byName[runtime]), cwd, env });
    expect(await runtimeOf(server.url)).toBe(runtime);
    const plant = await fetch(`${server.url}/plants/1`, { headers: { authorization: `Bearer ${demoToken}` } });
    expect(await plant.text()).toStartWith('{"id":1,"name":"Monstera",');
    await expectPages(server.url);
    if (runtime === 'node') process.kill(childlessIn(cwd), 'SIGTERM');
    else server.kill();
    expect(await server.exited).toBe(0);
    expect(processesIn(cwd)).toEqual([]);
    await server.logged('stopped');
    await expect(fetch(server.url)).rejects.toThrow();
    expect(JSON.stringify(server.log)).not.toMatch(/warn|error/i);
    expect(readdirSync(cwd)).toEqual(['.env']);
  });

  test('a script starts the demo as the README says, and stops it by the id of its process', async () => {
    using consumer = createConsumer(runtime);
    const { cwd, env, command } = consumer;
    for (const name of ['tar', 'gzip', 'sleep', 'grep']) symlinkSync(Bun.which(name) ?? '', join(env.PATH, name));
    copyFileSync(packedTarball, join(cwd, basename(packedTarball)));
    await using _ = { [Symbol.asyncDispose]: () => killIn(cwd) };
    const [install, start] = scripts[runtime];
    const script = `${install}
${start} serve --demo --port 0 >log 2>&1 &
until grep -q '"msg":"ready"' log; do sleep 0.1; done
kill "$!"
wait "$!"`;
    await run(command(['sh', '-c', script]), { cwd, env });
    expect(readFileSync(join(cwd, 'log'), 'utf8')).toContain('"msg":"stopped"');
    expect(processesIn(cwd)).toEqual([]);
  });

  test('the command of the README runs a tarball that is not installed', async () => {
    using consumer = createConsumer(runtime);
    const { cwd, env, command } = consumer;
    for (const name of ['tar', 'gzip']) symlinkSync(Bun.which(name) ?? '', join(env.PATH, name));
    copyFileSync(packedTarball, join(cwd, basename(packedTarball)));
    const label = { bun: 'Bun', deno: 'Deno', node: 'Node.js' }[runtime];
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const [, line = ''] = new RegExp(`^\\| ${label} [\\d.]+ \\| \`(.*) serve --demo\` \\|`, 'm').exec(readme) ?? [];
    expect(await run(command(['sh', '-c', `${line} version`]), { cwd, env })).toBe(`${manifest.version}\n`);
  });
});

describe('with Node and Bun', () => {
  test.each([
    ['bunx', 'node', []],
    ['bunx --bun', 'bun', ['--bun']],
  ])('%s runs the package on %s', async (_command, runtime, options) => {
    using registry = startRegistry(packedTarball, packed());
    using consumer = createConsumer('node', 'bun');
    const { cwd, command } = consumer;
    await using _ = { [Symbol.asyncDispose]: () => killIn(cwd) };
    const env = { ...consumer.env, ...registry.env };
    await using server = await startDemo({ program: command(['bunx', ...options, name]), cwd, env });
    expect(await runtimeOf(server.url)).toBe(runtime);
  });
});

test('a project that installs the package can read each document that it exports', async () => {
  using consumer = createConsumer('bun');
  const { cwd, env, command } = consumer;
  await run([...command(['bun', 'add', packedTarball])], { cwd, env });
  for (const path of exportedFiles())
    expect(await Bun.file(Bun.resolveSync(path.replace('.', name), cwd)).exists()).toBe(true);
});
