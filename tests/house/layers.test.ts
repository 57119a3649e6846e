/** Checks the rules that the compiler does not check: the imports and the code that each folder may have. */
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as failures from '../../src/domain/error.ts';
import { filesIn, findCircle, importsOf, read, sources } from '../support/imports.ts';

const root = join(import.meta.dir, '../..');

/** What both engines may import. */
const ofEngines = [
  'src/store/store.ts',
  'src/store/observer.ts',
  'src/store/rows/',
  'src/store/dump.ts',
  'src/store/copy.ts',
  'src/store/migrate.ts',
  'src/runtime/runtime.ts',
  'src/base/',
  'src/domain/',
  'db/migrations.ts',
  'node:',
];

/** Each room, and the rooms and packages that it may import. A file belongs to the first room with a matching path. */
const rooms: [string, string[]][] = [
  // From the domain, only types.
  ['db/sqlite.ts', ['drizzle-orm', 'src/domain/']],
  ['db/postgres.ts', ['drizzle-orm', 'src/domain/']],
  ['db/drizzle.postgres.config.ts', ['drizzle-kit']],
  ['db/', ['db/']],
  ['src/base/', ['src/base/', 'node:']],
  // Only types, so that every other file can say what it expects.
  ['src/runtime/runtime.ts', ['src/base/', 'node:']],
  ['src/runtime/postgres.ts', ['src/base/']],
  // An old runtime must be able to load it.
  ['src/runtime/oldest.ts', ['package.json']],
  ['src/runtime/', ['src/runtime/', 'src/base/', 'src/http/page/assets/', 'bun', 'bun:', 'node:', 'pg']],
  // From node:net, only the check whether a text is an address.
  ['src/domain/', ['src/domain/', 'src/base/', 'node:crypto', 'node:zlib', 'node:net']],
  ['src/store/store.ts', ['src/domain/', 'src/base/page.ts']],
  ['src/store/observer.ts', ['src/domain/', 'src/store/store.ts']],
  ['src/store/migrate.ts', ['db/migrations.ts', 'node:crypto']],
  ['src/store/rows/', ['src/store/rows/', 'src/domain/', 'db/postgres.ts']],
  ['src/store/dump.ts', []],
  ['src/store/copy.ts', ['src/store/dump.ts', 'src/store/rows/', 'src/base/error.ts', 'drizzle-orm']],
  ['src/store/sqlite/', ['src/store/sqlite/', ...ofEngines, 'drizzle-orm', 'db/sqlite.ts']],
  [
    'src/store/postgres/session/',
    [
      'src/store/postgres/session/',
      'src/store/store.ts',
      'src/store/observer.ts',
      'src/runtime/postgres.ts',
      'src/base/',
      'src/domain/error.ts',
      'drizzle-orm',
      'node:',
    ],
  ],
  [
    'src/store/postgres/',
    ['src/store/postgres/', 'src/runtime/postgres.ts', ...ofEngines, 'drizzle-orm', 'db/postgres.ts'],
  ],
  ['src/setting-values.ts', ['src/base/', 'node:']],
  ['src/setting-values-tracing.ts', ['src/setting-values.ts', 'src/base/']],
  ['src/settings.ts', ['src/setting-values.ts', 'src/setting-values-tracing.ts']],
  [
    'src/config.ts',
    ['src/settings.ts', 'src/setting-values.ts', 'src/setting-values-tracing.ts', 'src/base/', 'node:async_hooks'],
  ],
  // Only types, so that other rooms can report to a tracer without loading it.
  ['src/tracing/tracer.ts', ['src/domain/', 'src/store/observer.ts']],
  ['src/log.ts', ['src/runtime/runtime.ts', 'src/base/', 'src/config.ts', 'src/domain/error.ts', 'pino']],
  ['src/metrics.ts', ['src/base/', 'src/domain/', 'src/store/observer.ts']],
  [
    'src/tracing/',
    [
      'src/tracing/',
      'src/base/',
      'src/domain/',
      'src/config.ts',
      'src/setting-values-tracing.ts',
      'src/store/observer.ts',
      'src/runtime/runtime.ts',
      'src/log.ts',
      '@opentelemetry/',
      'node:timers/promises',
    ],
  ],
  [
    'src/http/',
    [
      'src/http/',
      'src/runtime/runtime.ts',
      'src/base/',
      'src/domain/',
      'src/store/store.ts',
      'src/config.ts',
      'src/log.ts',
      'src/metrics.ts',
      'src/tracing/tracer.ts',
      'elysia',
      '@elysiajs/',
      '@sinclair/typebox',
      'negotiator',
      'node:crypto',
      'node:dns/promises',
      'node:fs',
      'node:timers/promises',
      'node:util',
      'node:zlib',
    ],
  ],
  [
    'src/webhooks/',
    [
      'src/webhooks/',
      'src/runtime/runtime.ts',
      'src/base/',
      'src/domain/',
      'src/store/store.ts',
      'src/log.ts',
      'src/metrics.ts',
      'src/tracing/tracer.ts',
      'node:',
    ],
  ],
  ['src/jobs/', ['src/jobs/', 'src/base/', 'src/store/store.ts', 'src/log.ts', 'src/metrics.ts', 'node:']],
  [
    'src/demo/',
    [
      'src/demo/',
      'src/domain/',
      'node:timers/promises',
      'src/http/app.ts',
      'src/http/operation.ts',
      // For the documented responses.
      'src/http/document/failures.ts',
      'src/http/response.ts',
      'src/http/media-type.ts',
      'src/webhooks/',
      'src/store/store.ts',
      'src/store/observer.ts',
      'src/config.ts',
      'src/log.ts',
      'src/metrics.ts',
      'src/tracing/tracer.ts',
    ],
  ],
  [
    'src/cli/',
    [
      'src/',
      'package.json',
      'commander',
      'cli-progress',
      'csv-parse',
      'csv-stringify',
      'pino-pretty',
      '@sinclair/typebox',
      'node:',
    ],
  ],
  ['src/main.ts', ['src/cli/', 'src/runtime/oldest.ts']],
];

test('the check of imports finds source files and their imports', () => {
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.flatMap(importsOf).length).toBeGreaterThan(50);
});

describe('the direction of imports', () => {
  test.each(sources)('%s imports only what its room may import', (path) => {
    const room = rooms.find(([prefix]) => path.startsWith(prefix));
    expect(room).toBeDefined();
    const [, allowed = []] = room ?? [];
    const strays = importsOf(path).filter((target) => !allowed.some((prefix) => target.startsWith(prefix)));
    expect(strays).toEqual([]);
  });

  test.each(['src/store/store.ts', 'src/store/dump.ts', 'src/runtime/runtime.ts', 'src/runtime/postgres.ts'])(
    'the interface %s has only types',
    (path) => {
      const lines = read(path).split('\n');
      expect(lines.filter((line) => line.startsWith('import ') && !line.startsWith('import type '))).toEqual([]);
      expect(new Bun.Transpiler({ loader: 'ts' }).transformSync(read(path)).trim()).toBe('');
    },
  );
});

const ofMap = filesIn(...['measure', 'adapters', 'cases', 'site'].map((folder) => `map/${folder}`));

test.each([
  ['the program', sources],
  ['the map of OpenAPI', ofMap],
])('no file of %s imports itself through others, not even for a type', (_what, files) => {
  const imports = (path: string): string[] => importsOf(path).filter((target) => files.includes(target));
  expect(files.flatMap(imports).length).toBeGreaterThan(files.length);
  expect(findCircle(imports, files)).toBeUndefined();
});

test.each([
  ['a file that imports itself', { a: ['a'] }, ['a']],
  ['two files that import each other', { a: ['b'], b: ['a'] }, ['a', 'b']],
  ['a circle behind other files', { a: ['b', 'c'], b: ['d'], c: ['d', 'e'], d: [], e: ['c'] }, ['c', 'e']],
  ['two ways to one file', { a: ['b', 'c'], b: ['c'], c: [] }, undefined],
])('the check of circles reads %s correctly', (_what, files, circle) => {
  const imports = new Map<string, string[]>(Object.entries(files));
  expect(findCircle((path) => imports.get(path) ?? [], [...imports.keys()])).toEqual(circle);
});

test('only one file outside the store selects the engine', () => {
  const outside = sources.filter((path) => !/^src\/(?:store|runtime)\//.test(path));
  const engine = /sqlite|^bun$|^(?:src\/store|db)\/postgres/;
  const importing = outside.filter((path) => importsOf(path).some((target) => engine.test(target)));
  expect(importing.filter((path) => !path.startsWith('db/'))).toEqual(['src/cli/database.ts']);
  const naming = outside.filter((path) => /\bengine\b/.test(codeOf(path)));
  // In metrics.ts it is the name of a label.
  expect(naming.sort()).toEqual(['src/cli/database.ts', 'src/metrics.ts', 'src/setting-values.ts']);
});

/** The code without comments and strings, which may mention anything. */
const codeOf = (path: string): string =>
  read(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, ' ');

const offenders = (pattern: RegExp, ...exceptions: string[]): string[] =>
  sources.filter((path) => !exceptions.includes(path) && pattern.test(codeOf(path)));

test('only src/runtime has what one runtime alone has', () => {
  const outside = sources.filter((path) => !path.startsWith('src/runtime/'));
  const using = outside.filter(
    (path) =>
      /\b(?:Bun|Deno)\b|\bgetBuiltinModule\b|\bprocess\.versions\b|\bimport\.meta\.(?:dir|path|main)\b/.test(
        codeOf(path),
      ) ||
      importsOf(path).some((target) => /^bun\b|^node:sqlite$/.test(target)) ||
      read(path).includes("type: 'file'"),
  );
  expect(using).toEqual([]);
});

test.each(['bun', 'deno', 'node'])('the file of %s is that of its condition in package.json', async (name) => {
  const { imports } = await import('../../package.json');
  const { bun, deno, default: node } = imports['#runtime'];
  expect({ bun, deno, node }[name]).toBe(`./src/runtime/${name}.ts`);
});

test('Node, which replaces types by spaces, leaves Elysia the names of what a hook uses', () => {
  // Elysia reads the source of a hook, and does not recognize the last of these names if a space follows the brace.
  const read = 'body|cookie|headers|path|query|route|server|set|url';
  expect(offenders(new RegExp(String.raw`\(\{[^{}()]*\b(?:${read})\s*\}: \{`))).toEqual([]);
});

test("only http/schema.ts and its kinds have TypeBox, for what Elysia's t lacks; others have its compiler", () => {
  const own = sources.filter((path) => importsOf(path).includes('@sinclair/typebox'));
  expect(own.toSorted()).toEqual(['src/http/kinds.ts', 'src/http/schema.ts']);
});

test('no value has the type any', () => {
  expect(offenders(/\bas any\b|:\s*any\b|<any\b|\bany\[\]/)).toEqual([]);
});

test('no comment silences the compiler or the linter, in tests and tools either', () => {
  // The last pattern leaves out the folders generated/, node_modules/ and .tools/.
  const patterns = [
    '{.ci,db,docs,release,src,tests}/**/*',
    '{bench,conformance,map}/*',
    '{bench,conformance,map}/[!gn.]*/**/*',
  ];
  const files = patterns.flatMap((pattern) => [
    ...new Bun.Glob(`${pattern}.{ts,mjs}`).scanSync({ cwd: root, dot: true }),
  ]);
  expect(files).toContain('bench/peers/hono/server.ts');
  expect(files.length).toBeGreaterThan(2 * sources.length);
  // In brackets, so that this line is not one of them.
  expect(files.filter((path) => /@ts[-]|biome[-]ignore/.test(read(path)))).toEqual([]);
});

test('only config.ts reads the environment', () => {
  expect(offenders(/\b(?:process|Bun|import\.meta)\.env\b/)).toEqual(['src/config.ts']);
});

test('only one file of the command line writes to stdout and stderr, so that all control characters are escaped', () => {
  // Every old runtime has it.
  expect(offenders(/\bconsole\./)).toEqual(['src/runtime/oldest.ts']);
  // They write the log, and one reports a signal that JavaScript cannot handle.
  expect(offenders(/\bprocess\.std(?:out|err)\.write\b/).sort()).toEqual(['src/runtime/bun.ts', 'src/runtime/node.ts']);
  const others = ['src/runtime/bun-sqlite.ts', 'src/runtime/deno-stderr.ts'];
  expect(offenders(/\bwriteSync\b/).sort()).toEqual(['src/cli/output.ts', ...others]);
});

/** Matches arguments with calls in them, nested up to this depth. */
const argumentsOf = (depth: number): string =>
  depth === 0 ? '[^();]*' : String.raw`(?:[^();]|\(${argumentsOf(depth - 1)}\))*`;

/** Finds the status or the number of an error by its use, since the same number can be a length. */
const statusOfError = (() => {
  const number = String.raw`(?<![\w.])[45]\d\d(?:\d\d)?(?![\w.])`;
  const uses = [
    // The value of a status, or a comparison with a status on either side.
    String.raw`status\w*[^,;{}]*?${number}`,
    String.raw`${number}\s*(?:[<>=!]+|[^;{}]*\]\.includes\()[^,;{}]*?status`,
    String.raw`\berror\s*[:=<>!]+\s*${number}`,
    // A key, such as in a `responses` object, or a case.
    String.raw`(?:[{,]|\bcase\b)\s*${number}\s*:`,
    // An argument of jsonResponse, not of a nested call.
    String.raw`response\(${argumentsOf(3)},\s*${number}\s*[,)]`,
  ];
  return new RegExp(uses.join('|'), 'i');
})();

test.each([
  'new Response(null, { status: 404 })',
  'return new Response(null, { headers, status: missing ? 404 : 410 });',
  'return jsonResponse({ error, message }, {}, 404);',
  'get(path, () => jsonResponse(toBody(record), { etag: etagOf(versionOf(record)) }, 404))',
  'set.status = 404;',
  'const goneStatus = 410;',
  'const busyStatuses = [429, 503];',
  'if (response.status >= 500) retry();',
  'const isOwnFailure = (code: ErrorCode): boolean => statusOf(code) >= 500;',
  'if (404 === status) return;',
  'const isLost = [404, 410].includes(response.status);',
  'switch (response.status) { case 204: break; case 404: return; }',
  'const responses = { 200: found, 404: missing };',
  'throw status(404);',
  'return { error: 40400, message };',
  'if (body.error === 40400) return;',
])('the check finds the status of an error in `%s`', (code) => {
  expect(code).toMatch(statusOfError);
});

test.each([
  'export const urlLengthMax = 500;',
  'const name = text({ maxLength: 500, error: sentence });',
  'const { status } = response; const tail = body.slice(0, 500);',
  'await sleep(500);',
  'new Response(null, { status: 204, headers })',
  'const rows = read(offset, 500);',
  'return new Response(text.slice(0, 500));',
  "kind('not_found', 40400, 'There is no such plant, webhook or delivery.'),",
  'const portMax = 50000;',
])('the check finds no status of an error in `%s`', (code) => {
  expect(code).not.toMatch(statusOfError);
});

test('only response.ts has the statuses of errors', () => {
  // The other files have statuses that the receivers of webhooks return.
  const receivers = ['src/cli/listen.ts', 'src/domain/delivery.ts', 'src/http/document/messages.ts'];
  expect(offenders(statusOfError, 'src/http/response.ts').sort()).toEqual(receivers);
});

/** The imports of a file from domain/error.ts: the code of each failure, and the name of anything else. */
const failuresIn = (path: string): string[] =>
  [...read(path).matchAll(/import \{([^}]*)\} from '[^']*domain\/error\.ts'/g)].flatMap(([, names = '']) =>
    (names.match(/\w+/g) ?? []).map((name) => codeOfFailure.get(name) ?? name),
  );

const codeOfFailure = new Map(
  Object.entries<unknown>(failures).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && 'code' in value ? [[name, `${value.code}`] as const] : [],
  ),
);

test('no engine applies a rule of the domain', () => {
  const engines = sources.filter((path) => /^src\/store\/\w+\//.test(path));
  expect(engines.length).toBeGreaterThan(10);
  const imported = new Set(engines.flatMap(failuresIn));
  expect([...imported].sort()).toEqual(['AppError', 'outcome_unknown', 'unavailable']);
  expect(engines.filter((path) => /new AppError\(\s*\{/.test(read(path)))).toEqual([]);
});

test('only the store and src/http throw unavailable, which means that nothing was written', () => {
  const throwing = sources.filter((path) => failuresIn(path).includes('unavailable'));
  expect(throwing).toContain('src/http/health.ts');
  expect(throwing.filter((path) => !/^src\/(?:store\/\w+|http)\//.test(path))).toEqual([]);
});

test('an error of the command line is not an error of the service', () => {
  expect(sources.filter((path) => path.startsWith('src/cli/') && /\bnew AppError\b/.test(codeOf(path)))).toEqual([]);
});

test('no source file is longer than 220 lines', () => {
  expect(sources.filter((path) => read(path).split('\n').length > 220)).toEqual([]);
});

test('every file that the guides mention exists', () => {
  const guides = [
    'README.md',
    'CONTRIBUTING.md',
    'map/FEATURES.md',
    'SECURITY.md',
    'docs/dependencies.md',
    'docs/faults.md',
    'docs/glossary.md',
    'docs/monitoring.md',
    'docs/operations.md',
    'docs/security.md',
    'docs/troubleshooting.md',
  ];
  const named = guides.flatMap((guide) =>
    [
      ...read(guide).matchAll(
        /`((?:src|tests|conformance|map|db|deploy|docs|base|domain|store|http|webhooks|jobs|cli)\/[\w./-]+\.\w+)`/g,
      ),
    ].map(([, path = '']) => path),
  );
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)));
  expect(missing).toEqual([]);
});
