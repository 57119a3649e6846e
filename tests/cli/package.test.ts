/** The npm package: its contents, and that it needs only Bun. Nothing is downloaded, since it has no dependencies. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import manifest from '../../package.json';
import { demoToken } from '../../src/domain/sample-data.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type RunningServer, type RunOptions, runProgram, startDemo } from '../support/process.ts';

const root = join(import.meta.dir, '../..');
const work = temporaryFolder();
const tarball = work.file(`plant-store-${manifest.version}.tgz`);
const unpacked = work.file('package');

/** Runs a command that must succeed. */
const run = async (program: string[], options: RunOptions): Promise<string> => {
  const { exitCode, stdout, stderr } = await runProgram([], { ...options, program });
  expect(exitCode, stderr).toBe(0);
  return stdout;
};

/** An empty folder, and an environment with an empty home and no other program than Bun. */
const createConsumer = () => {
  const folder = temporaryFolder();
  const cwd = folder.file('work');
  const env = { PATH: folder.file('bin'), HOME: folder.file('home') };
  for (const path of [cwd, env.PATH, env.HOME]) mkdirSync(path);
  for (const name of ['bun', 'bunx']) symlinkSync(process.execPath, join(env.PATH, name));
  return { ...folder, cwd, env, bun: join(env.PATH, 'bun'), bunx: join(env.PATH, 'bunx') };
};

/** The manifest in the package. */
const packed = () => JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));

const stop = (server: RunningServer): Promise<number> => {
  server.kill();
  return server.exited;
};

beforeAll(async () => {
  await run([process.execPath, 'release/npm-package.ts', work.path], { cwd: root });
  await run(['tar', '-xzf', tarball], { cwd: work.path });
});

afterAll(() => work[Symbol.dispose]());

describe('the contents of the package', () => {
  const files = () => readdirSync(unpacked, { recursive: true, encoding: 'utf8' }).filter(isFile);
  const isFile = (name: string): boolean => statSync(join(unpacked, name)).isFile();
  const read = (name: string): string => readFileSync(join(unpacked, name), 'utf8');
  const exported = (): string[] => Object.keys(packed().exports).map((path) => path.replace('./', ''));

  test('the package has the bundle, the documents that it exports, the README and the licences, and nothing else', () => {
    const texts = ['README.md', 'LICENSE', 'THIRD-PARTY-LICENSES.txt'];
    const expected = [...exported(), 'main.js', ...texts];
    const isOfBundle = (name: string): boolean => /^(?:[a-z]+-\w{8}\.js|scalar-[\w.-]+\.js\.gz)$/.test(name);
    expect(
      files()
        .filter((name) => !isOfBundle(name))
        .sort(),
    ).toEqual(expected.sort());
    expect(files().filter(isOfBundle).length).toBeGreaterThan(15);
  });

  test('the package exports every document of the repository', () => {
    const lists = readdirSync(join(root, 'conformance')).filter((name) => /^features.*\.json$/.test(name));
    const documents = [...readdirSync(join(root, 'openapi')), ...lists];
    expect(documents).toContain('openapi.yaml');
    expect(lists).toHaveLength(2);
    expect(documents.filter((name) => !exported().includes(name))).toEqual([]);
  });

  test.skipIf(Bun.which('npm') === null)('npm packs the same files as Bun', async () => {
    using folder = temporaryFolder();
    await run(['npm', 'pack', '--pack-destination', folder.path], { cwd: join(root, 'dist/package') });
    await run(['tar', '-xzf', folder.file(basename(tarball))], { cwd: folder.path });
    await run(['diff', '--recursive', folder.file('package'), unpacked], { cwd: folder.path });
  });

  test('the package is at most 2 MB, or 5 MB unpacked', () => {
    expect(statSync(tarball).size).toBeLessThan(2_000_000);
    expect(files().reduce((total, name) => total + statSync(join(unpacked, name)).size, 0)).toBeLessThan(5_000_000);
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
    const bundled = new Set(
      [...bundle.matchAll(/^ *\/\/ node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/gm)].map(([, name]) => name),
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

describe('the package, with Bun alone, in an empty folder and with an empty home', () => {
  test('bunx runs the demo of an installed package, which leaves nothing behind when it is stopped', async () => {
    using consumer = createConsumer();
    const { cwd, env, bun, bunx } = consumer;
    await run([bun, 'add', tarball], { cwd, env });
    writeFileSync(join(cwd, '.env'), 'PORT=nonsense\n');
    writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./no-such-file.ts"]\n');
    const before = readdirSync(cwd);
    await using server = await startDemo({ program: [bunx, 'plant-store'], cwd, env });
    // The server is a child of bunx, which forwards SIGTERM to it, but cannot forward the SIGKILL of a failed test.
    await using _ = { [Symbol.asyncDispose]: async () => void (await stop(server)) };
    const plant = await fetch(`${server.url}/plants/1`, { headers: { authorization: `Bearer ${demoToken}` } });
    expect(await plant.text()).toStartWith('{"id":1,"name":"Monstera",');
    const page = await (await fetch(`${server.url}/swagger`)).text();
    const script = await fetch(`${server.url}/${/swagger-assets\/[^"]+/.exec(page)?.[0]}`);
    expect((await script.bytes()).length).toBeGreaterThan(1_000_000);
    expect(await stop(server)).toBe(0);
    await expect(fetch(server.url)).rejects.toThrow();
    expect(readdirSync(cwd)).toEqual(before);
    for (const path of Object.keys(packed().exports)) {
      expect(await Bun.file(Bun.resolveSync(path.replace('.', 'plant-store'), cwd)).exists()).toBe(true);
    }
  });

  test('bunx runs a tarball that is not installed', async () => {
    using consumer = createConsumer();
    const { cwd, env, bunx } = consumer;
    expect(await run([bunx, '--package', tarball, 'plant-store', 'version'], { cwd, env })).toBe(
      `${manifest.version}\n`,
    );
    expect(readdirSync(cwd)).toEqual([]);
  });
});
