/** The programs of `examples/clients/` run against the demo, and against one with wrong responses. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { demoToken } from '../src/tokens/sample.ts';
import { temporaryFolder } from '../tests/support/folder.ts';
import { everyByte, pngOfBytes } from '../tests/support/pictures/pictures.ts';
import { type RunningServer, startDemo } from '../tests/support/programs/process.ts';
import { checks, isInstalled, python, run } from './languages.ts';
import { startRewriter } from './rewriter.ts';

const examples = join(import.meta.dir, '../examples/clients');
const folder = temporaryFolder();

/** The clients upload it, in the place of the small one. It has all bytes, and is too large for one piece of a stream. */
const picture = pngOfBytes(1_000_000, everyByte);

interface Client {
  readonly language: string;
  /** Whether this machine has the tools of the client. */
  readonly isRunnable: boolean;
  /** The folder in `examples/clients/`. */
  readonly source: string;
  /** Checks and builds. A successful step prints only its progress, on stderr. */
  readonly steps: readonly (readonly string[])[];
  readonly command: readonly string[];
}

const typescript = { source: 'typescript', steps: [[process.execPath, 'install', '--frozen-lockfile', '--silent']] };

const clients: readonly Client[] = [
  { language: 'TypeScript on Bun', isRunnable: true, ...typescript, command: [process.execPath, 'client.ts'] },
  {
    language: 'TypeScript on Node.js',
    isRunnable: isInstalled.node(),
    ...typescript,
    command: ['node', 'client.ts'],
  },
  {
    language: 'Python',
    isRunnable: isInstalled.python(),
    source: 'python',
    steps: checks.python,
    command: [python('python'), 'client.py'],
  },
  {
    language: 'Go',
    isRunnable: isInstalled.go(),
    source: 'go',
    steps: [...checks.go, ['go', 'build', '-o', 'client']],
    command: ['./client'],
  },
  {
    language: 'Rust',
    isRunnable: isInstalled.rust(),
    source: 'rust',
    steps: [
      ...checks.rust,
      ['cargo', 'clippy', '--locked', '--quiet', '--', '--deny', 'warnings'],
      ['cargo', 'build', '--locked', '--quiet'],
    ],
    command: ['target/debug/plant-store-client-example'],
  },
];

let demo: RunningServer;
beforeAll(async () => {
  await Bun.write(folder.file('leaf.png'), picture);
  demo = await startDemo();
});
afterAll(async () => {
  await demo[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

// A client is skipped if its language is not installed.
describe.each([...clients])('$language', ({ language, isRunnable, source, steps, command }) => {
  const cwd = folder.file(source);

  beforeAll(async () => {
    if (!isRunnable) return;
    cpSync(join(examples, source), cwd, { recursive: true, filter: isSource });
    for (const step of steps) expect(await run(step, cwd)).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test.skipIf(!isRunnable)(
    `the client in ${language} reads an id beyond 2⁵³ exactly, exchanges a picture and verifies a webhook, twice on the same demo`,
    async () => {
      using proxy = startRewriter(demo.url, (body) => body);
      const before = await listAll();
      for (const url of [demo.url, proxy.url]) {
        const outcome = await run(command, cwd, { PLANT_STORE_URL: url });
        expect(outcome).toEqual({ exitCode: 0, stdout: expect.stringMatching(success), stderr: '' });
      }
      expect(proxy.uploads.map((body) => body.equals(picture))).toEqual([true]);
      expect(await listAll()).toEqual(before);
    },
  );

  test.skipIf(!isRunnable).each([
    ['the id is rounded', (body: string) => JSON.stringify(JSON.parse(body)), /rounded|9007199254740992/],
    ['a byte of the picture is changed', (body: string) => body.replace('\xfd\xfe\xff', '\xfd\xfe\xfd'), /picture/],
    ['the secret is wrong', (body: string) => body.replace(/whsec_[^"]+/, otherSecret), /signature/i],
  ])(`the client in ${language} fails when %s, and deletes what it has created`, async (_what, rewrite, reason) => {
    using rewriter = startRewriter(demo.url, rewrite);
    const before = await listAll();
    const { exitCode, stdout, stderr } = await run(command, cwd, { PLANT_STORE_URL: rewriter.url });
    expect(exitCode).not.toBe(0);
    expect(stdout).not.toContain('verified');
    expect(stderr).toMatch(reason);
    expect(await listAll()).toEqual(before);
  });
});

test('the example clients and the example job use the token of the demo', async () => {
  const folder = join(examples, '..');
  const tokens: string[] = [];
  for (const file of new Bun.Glob('**/*.{ts,py,go,rs,sh,yml,md}').scanSync({ cwd: folder })) {
    if (!isSource(file)) continue;
    tokens.push(...((await Bun.file(join(folder, file)).text()).match(/plant_[0-9A-Za-z]{36}/g) ?? []));
  }
  expect(tokens.length).toBeGreaterThanOrEqual(6);
  expect([...new Set(tokens)]).toEqual([demoToken]);
});

/** What the client prints. */
const success =
  /^Plant 9007199254740993 was created and read\.\nIts picture was uploaded and downloaded\.\nWebhook message evt_\d+_[\w-]{16} was verified\.\nA copy with another name was refused\.\n$/;

/** Valid, but not the secret of the webhook. */
const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

/** Excludes the build output in the checkout. */
const isSource = (path: string): boolean => !/\b(?:node_modules|target|generated)\b/.test(path);

/** All plants and webhooks of the demo. */
const listAll = (): Promise<unknown[]> =>
  Promise.all(
    ['/plants', '/webhooks'].map(async (path) => {
      const response = await fetch(demo.url + path, { headers: { authorization: `Bearer ${demoToken}` } });
      return response.json();
    }),
  );
