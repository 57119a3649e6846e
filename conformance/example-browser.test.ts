/** `examples/clients/browser/`: its packages, its generators and its tests in Chromium, against the demos that these start. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chmodSync, cpSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { temporaryFolder } from '../tests/support/folder.ts';
import { freePort } from '../tests/support/network/port.ts';
import { runProgram, underTest } from '../tests/support/programs/process.ts';
import { executableOf } from '../tests/support/programs/runtimes.ts';
import { executablePath } from './browser.ts';
import { inChromium } from './in-chromium.ts';
import { run } from './languages.ts';

const source = join(import.meta.dir, '../examples/clients/browser');
const folder = temporaryFolder();

/** The first one is the example. In the second one, the clients are generated from the document as it is, whose ids are numbers. */
const [exact, plain] = [folder.file('exact'), folder.file('plain')];

const programs = join(exact, 'node_modules/.bin');
const env = { PATH: [programs, dirname(executableOf('node')), process.env['PATH']].join(delimiter) };

const runScript = async (cwd: string, name: string): Promise<void> =>
  expect(await run([process.execPath, 'run', '--silent', name], cwd, env)).toMatchObject({ exitCode: 0 });

/** By the script that generates it: a file with the functions that send requests. */
const generated = {
  'hey-api': 'hey-api/sdk.gen.ts',
  orval: 'orval.ts',
  kubb: 'kubb/clients.ts',
  'rtk-query': 'rtk-query.ts',
};

/** The titles of the tests of Playwright, with their outcomes, by file. */
const played = new Map<string, Map<string, boolean>>();

interface Suite {
  readonly file: string;
  readonly specs: readonly { readonly title: string; readonly ok: boolean }[];
}

/** The outcomes of the tests in a file whose titles begin with a text. */
const outcomesOf = (file: string, start = ''): boolean[] =>
  [...(played.get(file) ?? [])].filter(([title]) => title.startsWith(start)).map(([, ok]) => ok);

const install = async (): Promise<void> => {
  const isSource = (path: string): boolean => !/\/(?:node_modules|generated|test-results)$/.test(path);
  for (const copy of [exact, plain]) cpSync(source, copy, { recursive: true, filter: isSource });
  const command = [process.execPath, 'install', '--frozen-lockfile', '--ignore-scripts', '--silent'];
  expect(await run(command, exact)).toMatchObject({ exitCode: 0 });
  symlinkSync(join(exact, 'node_modules'), join(plain, 'node_modules'));
  // As if the npm package were installed.
  await Bun.write(join(programs, 'plant-store'), `#!/bin/sh\nexec '${underTest.join("' '")}' "$@"\n`);
  chmodSync(join(programs, 'plant-store'), 0o755);
};

const generate = async (): Promise<void> => {
  await runScript(exact, 'document');
  await Bun.write(join(plain, 'generated/openapi.json'), (await runProgram(['openapi', '--format', 'json'])).stdout);
  const scripts = [exact, plain].flatMap((copy) => Object.keys(generated).map((name) => runScript(copy, name)));
  await Promise.all([runScript(exact, 'openapi-typescript'), ...scripts]);
};

const play = async (): Promise<void> => {
  const PORTS = [await freePort(), await freePort(), await freePort()].join();
  const command = [join(programs, 'playwright'), 'test', '--reporter=json'];
  const { stdout, stderr } = await run(command, exact, { ...env, PORTS, CHROMIUM: executablePath });
  const suites: readonly Suite[] = stdout.startsWith('{') ? JSON.parse(stdout).suites : [];
  for (const { file, specs } of suites) played.set(file, new Map(specs.map(({ title, ok }) => [title, ok])));
  if (suites.length === 0 || suites.some(({ specs }) => specs.some(({ ok }) => !ok))) console.log(stderr, stdout);
};

inChromium('examples/clients/browser', () => {
  beforeAll(async () => {
    await install();
    await generate();
    await play();
  });
  afterAll(() => folder[Symbol.dispose]());

  test.each(['openapi-fetch', ...Object.keys(generated)])(
    '%s edits and follows the right plant with exactFetch, and the wrong one without',
    (generator) => {
      expect(outcomesOf('ids.play.ts', `${generator} `)).toEqual([true, true]);
    },
  );

  test.each(['openapi-fetch', ...Object.keys(generated)])(
    '%s uploads and downloads a picture, byte for byte',
    (generator) => {
      expect(outcomesOf('pictures.play.ts', `${generator} `)).toEqual([true]);
    },
  );

  // So what a client does without exactFetch, it does with the document as it is.
  test.each(Object.entries(generated))(
    '%s generates the same code for an id as text, with other types',
    async (_, path) => {
      const transpiler = new Bun.Transpiler({ loader: 'ts', trimUnusedImports: true, minifyWhitespace: true });
      const [text, number] = await Promise.all(
        [exact, plain].map((copy) => Bun.file(join(copy, 'generated', path)).text()),
      );
      expect(transpiler.transformSync(text) === transpiler.transformSync(number)).toBe(true);
    },
  );

  test('the page in React misses no change before its stream, without a connection, and at a 410', () => {
    expect(outcomesOf('follow.play.ts')).toEqual([true, true, true]);
  });

  test('the demo is the mock of a page that Vite serves', () => {
    expect(outcomesOf('mock.play.ts')).toEqual([true, true, true, true]);
  });

  test('the types of the examples are right', async () => {
    const compiler = join(import.meta.dir, '../node_modules/.bin/tsc');
    expect(await run([compiler], exact)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });
});
