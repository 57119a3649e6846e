/** The scripts of package.json in a fresh clone, which has no packages. */
import { describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json';
import { temporaryFolder } from '../support/folder.ts';
import { read } from '../support/project/imports.ts';

const root = join(import.meta.dir, '../..');
const scripts: Readonly<Record<string, string>> = manifest.scripts;

const installsFirst = (name: string): boolean => scripts[name]?.startsWith('bun setup.ts') === true;

/** For contributors, who begin with `bun install`. */
const guides = ['CONTRIBUTING.md', 'docs/recipes.md', 'tests/README.md'];

/** For users, who may have a fresh clone. */
const pages = ['README.md', 'deploy/Dockerfile', ...new Bun.Glob('{docs,examples,map}/**/*.md').scanSync(root)].filter(
  (path) => !path.includes('node_modules') && !guides.includes(path),
);

const namedIn = (path: string): string[] =>
  [...read(path).matchAll(/\b(?:bun|bun@[\d.]+) run ([a-z][\w:]*)/g)].map(([, name = '']) => name);

test('every script that a page for users names installs the packages before it uses them', () => {
  const named = [...new Set(pages.flatMap(namedIn))];
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  // Only `generate` is for contributors: FEATURES.md says how it was made.
  expect(named.filter((name) => !installsFirst(name))).toEqual(['generate']);
  expect(named).toEqual(expect.arrayContaining(['dev', 'demo', 'test', 'build', 'package', 'map']));
});

test('the README has one line that starts the service, and one that runs the tests, which .ci/run reads', () => {
  const linesOf = (script: string): string[] =>
    read('README.md').match(new RegExp(`^npx --yes bun@[\\d.]+ run ${script}$`, 'gm')) ?? [];
  expect(linesOf('dev')).toEqual(['npx --yes bun@1.4.5 run dev']);
  expect(linesOf('test')).toEqual(['npx --yes bun@1.4.5 run test']);
  expect(read('.ci/run')).toContain("test_command=$(grep -xE 'npx --yes bun@[0-9.]+ run test' README.md)");
});

test('every script that a guide for contributors names exists', () => {
  const named = guides.flatMap(namedIn);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('a script that installs packages ends with the program that it starts, which gets its signals', () => {
  for (const name of ['dev', 'demo', 'test', 'faults']) expect(scripts[name]).toMatch(/ && (?:\w+=\w+ )?exec bun /);
});

test('only setup.ts installs packages, so that each installation is quiet', () => {
  expect(Object.keys(scripts).filter((name) => /\bbun (?:i|install|add)\b/.test(scripts[name] ?? ''))).toEqual([]);
});

describe('the installation', () => {
  /** Runs setup.ts in a folder with a package, and another folder below it, after a change of package.json. */
  const install = async (change: Readonly<Record<string, string>>) => {
    using folder = temporaryFolder();
    const write = (path: string, content: unknown) => Bun.write(folder.file(path), JSON.stringify(content));
    const dependencies = { leaf: 'file:./leaf' };
    copyFileSync(join(root, 'setup.ts'), folder.file('setup.ts'));
    await write('leaf/package.json', { name: 'leaf', version: '1.0.0' });
    await write('package.json', { name: 'one', dependencies });
    await write('other/package.json', { name: 'two', dependencies: { leaf: 'file:../leaf' } });
    for (const cwd of [folder.path, folder.file('other')])
      expect(Bun.spawnSync([process.execPath, 'install', '--lockfile-only'], { cwd }).exitCode).toBe(0);
    await write('package.json', { name: 'one', dependencies: { ...dependencies, ...change } });
    const child = Bun.spawn([process.execPath, 'setup.ts', 'other'], { cwd: folder.path, stderr: 'pipe' });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    const installed = ['', 'other/'].filter((path) => existsSync(folder.file(`${path}node_modules/leaf/package.json`)));
    const again = Bun.spawnSync([process.execPath, 'setup.ts', 'other'], { cwd: folder.path });
    return { exitCode, stdout, stderr: stderr.replaceAll(folder.path, 'ROOT'), installed, again: `${again.stderr}` };
  };

  test('it installs the packages of each folder, and prints one line for each that had none', async () => {
    expect(await install({})).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'Installing packages in ROOT …\nInstalling packages in ROOT/other …\n',
      installed: ['', 'other/'],
      again: '',
    });
  });

  test('with --production it installs only the dependencies, and neither removes the others nor keeps a later one from installing them', () => {
    using folder = temporaryFolder();
    const names = ['ran', 'tested', 'typed'];
    const write = (path: string, content: unknown) => writeFileSync(folder.file(path), JSON.stringify(content));
    for (const name of names) mkdirSync(folder.file(name));
    write('ran/package.json', {
      name: 'ran',
      version: '1.0.0',
      peerDependencies: { typed: '*' },
      peerDependenciesMeta: { typed: { optional: true } },
    });
    for (const name of ['tested', 'typed']) write(`${name}/package.json`, { name, version: '1.0.0' });
    write('package.json', {
      name: 'one',
      dependencies: { ran: 'file:./ran' },
      devDependencies: { tested: 'file:./tested', typed: 'file:./typed' },
    });
    copyFileSync(join(root, 'setup.ts'), folder.file('setup.ts'));
    const run = (...args: string[]): string[] => {
      expect(Bun.spawnSync([process.execPath, ...args], { cwd: folder.path }).exitCode).toBe(0);
      return names.filter((name) => existsSync(folder.file(`node_modules/${name}/package.json`)));
    };
    run('install', '--lockfile-only');
    expect(run('setup.ts', '--production')).toEqual(['ran']);
    expect(run('setup.ts')).toEqual(['ran', 'tested', 'typed']);
    expect(run('setup.ts', '--production')).toEqual(['ran', 'tested', 'typed']);
  });

  test('it prints the reason when it fails', async () => {
    const { exitCode, stderr } = await install({ again: 'file:./leaf' });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('lockfile is frozen');
  });
});
