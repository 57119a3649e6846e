/** The files of a release: Python, tar and sha256sum read them, and the program in one of them runs. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../package.json';
import { temporaryFolder } from '../tests/support/folder.ts';
import { runProgram } from '../tests/support/programs/process.ts';
import { copyCheckout } from '../tests/support/project/checkout.ts';
import { createScalarLicences } from './scalar-licences.ts';
import { createSwaggerUiLicences } from './swagger-ui-licences.ts';

const root = join(import.meta.dir, '..');
const release = join(root, 'dist/release');
const read = (name: string): string => readFileSync(join(release, name), 'utf8');
const work = temporaryFolder();
const python = join(import.meta.dir, '.venv/bin/python');

/** Runs a command that must succeed, and returns its output. */
const run = async (cwd: string, ...program: string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await runProgram([], { program, cwd });
  expect(exitCode, stdout + stderr).toBe(0);
  return stdout;
};

const makeRelease = (cwd: string): Promise<string> => run(cwd, process.execPath, 'run', 'release');

beforeAll(() => makeRelease(root));
afterAll(() => work[Symbol.dispose]());

test('a release has four builds, the npm package, the document, the SBOM and the licences, with their checksums', async () => {
  const systems = ['darwin-arm64.tar.gz', 'linux-arm64.tar.gz', 'linux-x64.tar.gz', 'windows-x64.zip'];
  const documents = ['THIRD-PARTY-LICENSES.txt', 'openapi.json', 'openapi.yaml'];
  const files = [
    ...documents,
    ...systems.map((system) => `plant-store-${version}-${system}`),
    `plant-store-${version}.cdx.json`,
    `plant-store-${version}.tgz`,
  ].sort();
  expect(readdirSync(release).sort()).toEqual(['SHA256SUMS', ...files].sort());
  const checked = await run(release, 'sha256sum', '--check', '--strict', 'SHA256SUMS');
  expect(checked.trim().split('\n').sort()).toEqual(files.map((name) => `${name}: OK`));
});

test('a release that is built in another folder has the same checksums', async () => {
  const other = work.file('other');
  copyCheckout(other);
  await makeRelease(other);
  expect(readFileSync(join(other, 'dist/release/SHA256SUMS'), 'utf8')).toBe(read('SHA256SUMS'));
});

describe('the archives', () => {
  const namesIn = (system: string): string[] =>
    ['LICENSE', 'THIRD-PARTY-LICENSES.txt', system.startsWith('windows') ? 'plant-store.exe' : 'plant-store'].map(
      (name) => `plant-store-${version}-${system}/${name}`,
    );

  test.each(['darwin-arm64', 'linux-arm64', 'linux-x64'])(
    'the archive for %s has an executable program and the licences',
    async (system) => {
      const listed = await run(release, 'tar', '-tvzf', `plant-store-${version}-${system}.tar.gz`);
      const entries = listed
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/));
      const modes = new Map(entries.map(([mode, ...fields]) => [fields.at(-1), mode]));
      expect([...modes.keys()].sort()).toEqual(namesIn(system));
      expect(modes.get(`plant-store-${version}-${system}/plant-store`)).toBe('-rwxr-xr-x');
    },
  );

  test.skipIf(Bun.which('python3') === null)('the archive for Windows is intact, and has the licences', async () => {
    const name = `plant-store-${version}-windows-x64.zip`;
    const program =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), *z.namelist(), sep="\\n")';
    const [damaged, ...names] = (await run(release, 'python3', '-c', program, name)).trim().split('\n');
    expect(damaged).toBe('None');
    expect(names.sort()).toEqual(namesIn('windows-x64'));
  });

  test.skipIf(`${process.platform}-${process.arch}` !== 'linux-x64')('the program for linux-x64 runs', async () => {
    const name = `plant-store-${version}-linux-x64`;
    await run(work.path, 'tar', '-xzf', join(release, `${name}.tar.gz`));
    expect(await run(work.path, join(work.path, name, 'plant-store'), 'version')).toBe(`${version}\n`);
    const document = await run(work.path, join(work.path, name, 'plant-store'), 'openapi');
    expect(document).toBe(read('openapi.yaml'));
  });
});

describe('the bill of materials and the licences', () => {
  interface Component {
    readonly group?: string;
    readonly name: string;
    readonly version?: string;
    readonly components?: readonly Component[];
  }
  const sbomName = `plant-store-${version}.cdx.json`;
  const components = (): readonly Component[] => JSON.parse(read(sbomName)).components;
  const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`);

  // `bun run python` installs it if Python is available.
  test.skipIf(!existsSync(python))('the SBOM is valid according to the CycloneDX library for Python', async () => {
    const program = [
      'import json, sys',
      'from cyclonedx.model.bom import Bom',
      'from cyclonedx.schema import SchemaVersion',
      'from cyclonedx.validation.json import JsonStrictValidator',
      'text = open(sys.argv[1]).read()',
      'error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)',
      'bom = Bom.from_json(json.loads(text))',
      'bom.validate()',
      'print(error or f"{bom.metadata.component.name} {bom.metadata.component.version}")',
    ].join('\n');
    expect(await run(release, python, '-c', program, sbomName)).toBe(`plant-store ${version}\n`);
  });

  test('the SBOM names the packages in a binary or in the npm package, the scripts of the pages and Bun, and nothing else', async () => {
    // Bun writes the path of each module before its code.
    const bundle = readdirSync(join(root, 'dist/package'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => join('package', name));
    const builds = ['builds/linux-x64/plant-store', ...bundle];
    const code = builds.map((name) => readFileSync(join(root, 'dist', name), 'latin1')).join('\n');
    const paths = [...code.matchAll(/^ *\/\/ node_modules\/(\S+)$/gm)].map(([, path = '']) => path);
    const bundled = paths.map((path) => /(?:.*\/node_modules\/)?((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path);
    expect(bundled).toEqual(expect.arrayContaining(['elysia', 'pg']));
    // Two versions of a package are two components.
    expect([...new Set(components().map(nameOf))].sort()).toEqual(
      [
        ...new Set([
          ...bundled,
          '@elysiajs/eden',
          'eventsource-parser',
          'preact',
          '@scalar/api-reference',
          'swagger-ui-dist',
          'bun',
        ]),
      ].sort(),
    );
    const nested = (name: string): readonly string[] =>
      components()
        .find((one) => nameOf(one) === name)
        ?.components?.map(nameOf) ?? [];
    expect(nested('bun')).toEqual(expect.arrayContaining(['WebKit', 'boringssl', 'sqlite', 'acorn']));
    const [, ...others] = createScalarLicences().flatMap(({ packages }) => packages.map(({ name }) => name));
    expect(nested('@scalar/api-reference')).toEqual(others);
  });

  test('every component of the SBOM has its licence in the file of licences', () => {
    const sections = read('THIRD-PARTY-LICENSES.txt').split(`\n${'-'.repeat(80)}\n\n`);
    const titles = /^(?:\S+ \d+\.\d+\.\d+\S*, \S+\n)+\n/;
    const licensed = new Set(
      sections.flatMap((section) => {
        const [title = ''] = titles.exec(section) ?? [];
        // The text is a licence, and neither empty nor a link to one.
        return section.length - title.length > 500 ? title.split('\n').map((line) => line.split(',')[0]) : [];
      }),
    );
    const packages = components().flatMap((one) => (one.name === 'bun' ? [one] : [one, ...(one.components ?? [])]));
    expect(packages.length).toBeGreaterThan(200);
    const titleOf = (one: Component): string => `${nameOf(one)} ${one.version}`;
    expect(packages.map(titleOf).filter((title) => !licensed.has(title))).toEqual([]);
  });

  test('the licences of the page are those of the packages that the source map of Scalar names, and those that Swagger UI comes with', async () => {
    const path = join(root, 'src/pages/assets/scalar-licences.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(createScalarLicences());
    const other = join(root, 'src/pages/assets/swagger-ui-licences.json');
    expect(JSON.parse(readFileSync(other, 'utf8'))).toEqual(createSwaggerUiLicences());
  });
});
