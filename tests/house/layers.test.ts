/** Guards the house rules that no compiler knows: which way imports run, and what may stand where. */
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dir, '../..');

/** Every source file of the program, by its path from the root. */
const sources = ['src', 'db'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name)),
);

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Each room, and the only places it may import from: rooms, and packages by name. The first match says whose a file is. */
const rooms: [string, string[]][] = [
  // Of the domain, only the types of what its JSON columns hold.
  ['db/sqlite.ts', ['drizzle-orm', 'src/domain/']],
  ['db/', ['db/']],
  ['src/base/', ['src/base/', 'node:']],
  // Of node:net, only whether a text is an address.
  ['src/domain/', ['src/domain/', 'src/base/', 'node:crypto', 'node:zlib', 'node:net']],
  ['src/store/store.ts', ['src/domain/']],
  // Of bun:ffi, only to handle a signal that JavaScript cannot.
  ['src/store/sqlite/bus-error.ts', ['bun:ffi', 'node:', 'src/base/']],
  ['src/store/', ['src/store/', 'src/base/', 'src/domain/', 'db/', 'drizzle-orm', 'bun:sqlite', 'node:']],
  ['src/config.ts', ['src/base/', 'node:']],
  ['src/log.ts', ['src/config.ts', 'src/domain/error.ts', 'pino']],
  [
    'src/http/',
    [
      'src/http/',
      'openapi-3.0.json',
      'src/base/',
      'src/domain/',
      'src/store/store.ts',
      'src/config.ts',
      'src/log.ts',
      'elysia',
      '@elysiajs/',
      '@sinclair/typebox',
      'node:crypto',
      'node:util',
    ],
  ],
  ['src/jobs/', ['src/jobs/', 'src/base/', 'src/domain/', 'src/store/store.ts', 'src/log.ts', 'node:']],
  [
    'src/cli/',
    ['src/', 'package.json', 'commander', 'cli-progress', 'csv-parse', 'csv-stringify', '@sinclair/typebox', 'node:'],
  ],
  ['src/main.ts', ['src/cli/']],
];

/** What a file imports: paths from the root for its own, names for packages. */
const importsOf = (path: string): string[] => {
  const statements = /^(?:import|export)\b(?:[^;']*\bfrom)? '([^']+)'|\bimport\(\s*'([^']+)'/gm;
  const specifiers = [...read(path).matchAll(statements)].map(([, from, direct]) => from ?? direct ?? '');
  return specifiers.map((specifier) =>
    specifier.startsWith('.') ? relative(root, join(root, dirname(path), specifier)) : specifier,
  );
};

test('there is something to guard', () => {
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.flatMap(importsOf).length).toBeGreaterThan(50);
});

describe('imports run one way', () => {
  test.each(sources)('%s', (path) => {
    const room = rooms.find(([prefix]) => path.startsWith(prefix));
    expect(room).toBeDefined();
    const [, allowed = []] = room ?? [];
    const strays = importsOf(path).filter((target) => !allowed.some((prefix) => target.startsWith(prefix)));
    expect(strays).toEqual([]);
  });

  test('the interface of the store is types only', () => {
    const lines = read('src/store/store.ts').split('\n');
    expect(lines.filter((line) => line.startsWith('import ') && !line.startsWith('import type '))).toEqual([]);
    expect(
      Bun.Transpiler && new Bun.Transpiler({ loader: 'ts' }).transformSync(read('src/store/store.ts')).trim(),
    ).toBe('');
  });
});

test('one file outside the store knows which engine runs', () => {
  const outside = sources.filter((path) => !path.startsWith('src/store/'));
  const knowing = outside.filter((path) => importsOf(path).some((target) => /sqlite/.test(target)));
  expect(knowing.filter((path) => !path.startsWith('db/'))).toEqual(['src/cli/options.ts']);
});

/** The code alone: neither comments nor strings count, so that prose may speak of what code may not do. */
const codeOf = (path: string): string =>
  read(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, ' ');

const offenders = (pattern: RegExp, ...exceptions: string[]): string[] =>
  sources.filter((path) => !exceptions.includes(path) && pattern.test(codeOf(path)));

test('nothing is of type any, and no check is silenced', () => {
  expect(offenders(/\bas any\b|:\s*any\b|<any\b|\bany\[\]/)).toEqual([]);
  expect(sources.filter((path) => /@ts-|biome-ignore/.test(read(path)))).toEqual([]);
});

test('the environment is read in config.ts alone', () => {
  expect(offenders(/\b(?:process|Bun|import\.meta)\.env\b/)).toEqual(['src/config.ts']);
});

test('the status of an error stands in problem.ts alone', () => {
  const statusOfError = /(?<![\w.])[45]\d\d(?:\d\d)?(?![\w.])/;
  // Beside it, a limit of a text, what the document says in words, and what not the service answers but the receivers of webhooks.
  const texts = ['src/domain/plant.ts', 'src/domain/webhook.ts', 'src/http/openapi.ts'];
  const receivers = ['src/domain/delivery.ts', 'src/http/openapi/messages.ts', 'src/cli/listen.ts'];
  expect(offenders(statusOfError, ...texts, ...receivers)).toEqual(['src/http/problem.ts']);
});

test('an engine refuses nothing by a rule of the domain', () => {
  const own = new Set(["'unavailable'", "'outcome_unknown'"]);
  const engines = sources.filter((path) => /^src\/store\/\w+\//.test(path));
  const refusals = engines.flatMap((path) => [
    ...[...read(path).matchAll(/new AppError\(\s*([^,\s]+)/g)]
      .filter(([, code = '']) => !own.has(code))
      .map(([whole]) => `${path}: ${whole}`),
    ...(/import \{[^}]*\brefuse\b[^}]*\} from '[^']*domain\/error\.ts'/.test(read(path)) ? [path] : []),
  ]);
  expect(engines.length).toBeGreaterThan(10);
  expect(refusals).toEqual([]);
});

test('unavailable means that nothing was written, and is said by the store and for clients alone', () => {
  const saying = sources.filter((path) => /new AppError\(\s*'unavailable'/.test(read(path)));
  expect(saying.filter((path) => !/^src\/(?:store\/\w+|http)\//.test(path))).toEqual([]);
});

test('files are small enough for one noun', () => {
  expect(sources.filter((path) => read(path).split('\n').length > 220)).toEqual([]);
});

test('every file that the guides name is there', () => {
  const guides = ['README.md', 'CONTRIBUTING.md', 'FEATURES.md'];
  const named = guides.flatMap((guide) =>
    [...read(guide).matchAll(/`((?:src|tests|conformance|db|base|http|jobs|domain)\/[\w./-]+\.\w+)`/g)].map(
      ([, path = '']) => path,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)));
  expect(missing).toEqual([]);
});
