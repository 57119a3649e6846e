/** Checks the rules that the compiler does not check: the imports and the code that each folder may have. */
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as failures from '../../src/base/app-error.ts';
import { importsOfFolders, innermostOf, roomOf } from '../support/project/folders.ts';
import { filesIn, findCircle, importsOf, read, sources } from '../support/project/imports.ts';

const root = join(import.meta.dir, '../..');

test('the check of imports finds source files and their imports', () => {
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.flatMap(importsOf).length).toBeGreaterThan(50);
});

/** The folders in CONTRIBUTING.md, from the top down. */
const listed = [...read('CONTRIBUTING.md').matchAll(/^- ((?:`(?:src\/|db\b)[^`]*`(?:, )?)+): /gm)].flatMap(
  ([, folders = '']) => [...folders.matchAll(/`(.+?)\/?`/g)].map(([, folder = '']) => folder),
);

describe('the folder is the layer', () => {
  test.each([
    ['rooms, types included', importsOfFolders()],
    ['folders of files, types included', importsOfFolders(innermostOf)],
  ])('no two %s import each other, nor through others', (_what, imports) => {
    expect(imports.size).toBeGreaterThan(20);
    expect(findCircle((folder) => [...(imports.get(folder) ?? [])], [...imports.keys()])).toBeUndefined();
  });

  test('CONTRIBUTING.md lists the folders from the top down: no import runs up', () => {
    const imports = importsOfFolders();
    expect(listed.length).toBeGreaterThan(20);
    expect(listed.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
    const upwards = listed.flatMap((folder, index) =>
      listed
        .slice(0, index)
        .filter((above) => imports.get(folder)?.has(above))
        .map((above) => `${folder} imports ${above}`),
    );
    expect(upwards).toEqual([]);
  });

  test('src/ has at most 24 entries besides the resources', () => {
    const isResource = (name: string): boolean =>
      ['operations.ts', 'store.ts'].every((file) => existsSync(join(root, 'src', name, file)));
    const entries = readdirSync(join(root, 'src')).filter((name) => !isResource(name));
    expect(entries.length).toBeLessThanOrEqual(24);
  });

  test.each(['src/store/store.ts', 'src/storage/dump.ts', 'src/runtime/runtime.ts', 'src/postgres/driver/driver.ts'])(
    'the interface %s has only types',
    (path) => {
      const lines = read(path).split('\n');
      expect(lines.filter((line) => line.startsWith('import ') && !line.startsWith('import type '))).toEqual([]);
      expect(new Bun.Transpiler({ loader: 'ts' }).transformSync(read(path)).trim()).toBe('');
    },
  );
});

/** The folders that may import each package; a package that is not listed belongs to no folder. All have what every runtime has. */
const homes: Readonly<Record<string, readonly string[]>> = {
  '@elysiajs/bearer': ['src/app'],
  '@elysiajs/swagger': ['src/pages'],
  '@hyperjump/': ['src/cli'],
  '@opentelemetry/': ['src/telemetry'],
  '@remix-run/multipart-parser': ['src/pictures'],
  '@sinclair/typebox': ['src/http', 'src/plants'],
  bun: ['src/runtime', 'src/postgres'],
  commander: ['src/cli'],
  'csv-stringify/': ['src/plants'],
  'drizzle-kit': ['db', 'src/postgres'],
  elysia: ['src/app', 'src/demo', 'src/http', 'src/pages'],
  negotiator: ['src/http'],
  'package.json': ['src/cli', 'src/runtime'],
  pg: ['src/postgres'],
  pino: ['src/log.ts'],
  'pino-pretty': ['src/cli'],
  standardwebhooks: ['src/demo'],
  yaml: ['src/document', 'src/cli'],
};

/** The store, in either engine, and the tables: `sqlite.ts` and its like in the folder of a resource. */
const isOfStore = (path: string): boolean =>
  /^db\/|^src\/(?:engines|postgres|sqlite|storage)\/|\/(?:row|sqlite(?:-[\w-]+)?|page-sql)\.ts$/.test(path);

test('a package is imported only where it is at home', () => {
  const isAtHome = (path: string, target: string): boolean => {
    if (/^(?:src|db)\/|^node:/.test(target)) return true;
    if (/^drizzle-orm\b/.test(target)) return isOfStore(path);
    const [, folders = []] =
      Object.entries(homes).find(
        ([name]) => target === name || target.startsWith(name.replace(/(?<![:/])$/, '/').replace('bun/', 'bun:')),
      ) ?? [];
    return folders.includes(roomOf(path));
  };
  expect(
    sources.flatMap((path) =>
      importsOf(path)
        .filter((target) => !isAtHome(path, target))
        .map((target) => [path, target]),
    ),
  ).toEqual([]);
});

/** Whether it is a file of a resource. */
const isOfResource = (path: string): boolean => sources.includes(path.replace(/[\w-]+\.ts$/, 'row.ts'));

/** What an engine imports of a resource is a rule, except its contract, its rows and its queries. */
const isRule = (path: string): boolean => isOfResource(path) && !isOfStore(path) && !path.endsWith('/store.ts');

test('the rules that an engine applies to a resource are pure: they import no input or output', () => {
  const impureOf = (path: string): readonly string[] =>
    importsOf(path).flatMap((target) => {
      if (isRule(target)) return impureOf(target);
      const isPure = /^src\/(?:base|storage)\/|\/store\.ts$|^node:(?:crypto|net|zlib)$/.test(target);
      return isPure ? [] : [`${path} imports ${target}`];
    });
  const engines = sources.filter((path) => isOfStore(path) && !path.startsWith('db/'));
  const rules = [...new Set(engines.flatMap(importsOf))].filter(isRule);
  expect(rules.length).toBeGreaterThan(4);
  expect(rules.flatMap(impureOf)).toEqual([]);
});

const ofConsole = filesIn('console');
const ofMap = filesIn(...['measure', 'adapters', 'cases', 'site'].map((folder) => `map/${folder}`));

test.each([
  ['the program', sources],
  ['the map of OpenAPI', ofMap],
  ['the console', ofConsole],
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

test('only src/engines/ names another engine, and only the files about the database depend on which one runs', () => {
  const outside = sources.filter((path) => !isOfStore(path) && !/^src\/(?:runtime|node)\//.test(path));
  const importing = (engine: RegExp): string[] =>
    outside.filter((path) => importsOf(path).some((target) => engine.test(target))).sort();
  expect(importing(/postgres/)).toEqual([]);
  expect(
    sources.filter(
      (path) =>
        !path.startsWith('src/postgres/') && importsOf(path).some((target) => target.startsWith('src/postgres/')),
    ),
  ).toEqual(['src/engines/load.ts']);
  expect(importing(/^src.*sqlite|^bun$/)).toEqual([
    'src/cli/backup.ts',
    'src/cli/database-files.ts',
    'src/cli/database.ts',
    'src/cli/restore.ts',
  ]);
  const aboutDatabases =
    /^src\/(?:cli\/(?:backup|restore|database[\w-]*|load-config)|config\/[\w-]+|store\/engine)\.ts$/;
  const naming = outside.filter((path) => !aboutDatabases.test(path) && /\bengine\b/.test(codeOf(path)));
  // There it is the name of a label.
  expect(naming.sort()).toEqual(['src/cli/package.ts', 'src/telemetry/metrics.ts']);
});

/** The code without comments and strings, which may mention anything. */
const codeOf = (path: string): string =>
  read(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, ' ');

const offenders = (pattern: RegExp, ...exceptions: string[]): string[] =>
  sources.filter((path) => !exceptions.includes(path) && pattern.test(codeOf(path)));

test('only src/runtime, src/node, the drivers of PostgreSQL and the files of the pages have what one runtime alone has', () => {
  const outside = sources.filter(
    (path) => !/^src\/(?:(?:runtime|node|postgres\/driver)\/|pages\/assets\/bun\.ts)/.test(path),
  );
  const using = outside.filter(
    (path) =>
      /\b(?:Bun|Deno)\b|\bprocess\.versions\b|\bimport\.meta\.(?:dir|path|main)\b/.test(codeOf(path)) ||
      importsOf(path).some((target) => /^bun\b|^node:sqlite$/.test(target)) ||
      /type: 'file'|getBuiltinModule\('node:sqlite'\)/.test(read(path)),
  );
  expect(using).toEqual([]);
});

test.each(['bun', 'deno', 'node'])('the file of %s is that of its condition in package.json', async (name) => {
  const { imports } = await import('../../package.json');
  const { bun, deno, default: node } = imports['#runtime'];
  expect({ bun, deno, node }[name]).toBe(`./src/${name === 'bun' ? 'runtime' : 'node'}/${name}.ts`);
});

test('package.json names no file of the PostgreSQL engine, which has its files of each runtime by their names', async () => {
  const { imports, scripts, exports } = await import('../../package.json');
  expect(JSON.stringify([imports, scripts, exports])).not.toContain('postgres');
  expect(imports['#runtime/*']).toEqual({ bun: './src/*/bun.ts', default: './src/*/node.ts' });
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
    'console/[!g]*',
    'console/[!g]*/**/*',
  ];
  const files = patterns.flatMap((pattern) => [
    ...new Bun.Glob(`${pattern}.{ts,tsx,mjs}`).scanSync({ cwd: root, dot: true }),
  ]);
  expect(files).toContain('bench/peers/hono/server.ts');
  expect(files.length).toBeGreaterThan(2 * sources.length);
  // In brackets, so that this line is not one of them.
  expect(files.filter((path) => /@ts[-]|biome[-]ignore/.test(read(path)))).toEqual([]);
});

test('only config.ts reads the environment', () => {
  expect(offenders(/\b(?:process|Bun|import\.meta)\.env\b/)).toEqual(['src/config/config.ts']);
});

test('only one file of the command line writes to stdout and stderr, so that all control characters are escaped', () => {
  // Every old runtime has it.
  expect(offenders(/\bconsole\./)).toEqual(['src/runtime/oldest.ts']);
  // They write the log.
  expect(offenders(/\bprocess\.std(?:out|err)\.write\b/).sort()).toEqual(['src/node/node.ts', 'src/runtime/bun.ts']);
  expect(offenders(/\bwriteSync\b/).sort()).toEqual(['src/cli/descriptor.ts', 'src/node/deno-stderr.ts']);
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
  const receivers = [
    'src/cli/listen.ts',
    'src/deliveries/delivery.ts',
    'src/demo/inbox/answer.ts',
    'src/document/messages.ts',
  ];
  expect(offenders(statusOfError, 'src/http/response.ts').sort()).toEqual(receivers);
});

/** The imports of a file from app-error.ts: the code of each failure, and the name of anything else. */
const failuresIn = (path: string): string[] =>
  [...read(path).matchAll(/import \{([^}]*)\} from '[^']*\/app-error\.ts'/g)].flatMap(([, names = '']) =>
    (names.match(/\w+/g) ?? []).map((name) => codeOfFailure.get(name) ?? name),
  );

const codeOfFailure = new Map(
  Object.entries<unknown>(failures).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && 'code' in value ? [[name, `${value.code}`] as const] : [],
  ),
);

test('no engine applies a rule of the domain', () => {
  const engines = sources.filter(isOfStore);
  expect(engines.length).toBeGreaterThan(10);
  const imported = new Set(engines.flatMap(failuresIn));
  // The defect is the damage of a database.
  expect([...imported].sort()).toEqual(['AppError', 'defect', 'outcome_unknown', 'unavailable']);
  expect(engines.filter((path) => /new AppError\(\s*\{/.test(read(path)))).toEqual([]);
});

test('only the store, src/app, src/http, imports and exports, and the inbox throw unavailable, which means that nothing was written', () => {
  const throwing = sources.filter((path) => failuresIn(path).includes('unavailable'));
  expect(throwing).toContain('src/app/health.ts');
  const isAboveHttp = (path: string): boolean => importsOf(path).some((target) => target.startsWith('src/http/'));
  const isAllowed = (path: string): boolean =>
    isOfStore(path) || /^src\/(?:demo\/inbox|http|plants\/transfer)\//.test(path) || isAboveHttp(path);
  expect(throwing.filter((path) => !isAllowed(path))).toEqual([]);
});

test('an error of the command line is not an error of the service', () => {
  expect(sources.filter((path) => path.startsWith('src/cli/') && /\bnew AppError\b/.test(codeOf(path)))).toEqual([]);
});

test('no source file is longer than 240 lines', () => {
  expect([...sources, ...ofConsole].filter((path) => read(path).split('\n').length > 240)).toEqual([]);
});

test('every file that the guides mention exists', () => {
  const guides = [
    'README.md',
    'CONTRIBUTING.md',
    'map/FEATURES.md',
    'SECURITY.md',
    'docs/backups.md',
    'docs/dependencies.md',
    'docs/faults.md',
    'docs/glossary.md',
    'docs/monitoring.md',
    'docs/operations.md',
    'docs/recipes.md',
    'docs/security.md',
    'tests/README.md',
    'docs/troubleshooting.md',
    'tests/faults/README.md',
  ];
  const named = guides.flatMap((guide) =>
    [
      ...read(guide).matchAll(
        /`((?:src|tests|conformance|map|db|deploy|docs|base|store|http|document|plants|events|webhooks|sender|cli)\/[\w./-]+\.\w+)`/g,
      ),
    ].map(([, path = '']) => path),
  );
  expect(named.length).toBeGreaterThan(20);
  // A recipe has NAME for the name of a resource.
  const existing = named.filter((path) => !path.includes('NAME'));
  const missing = existing.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)));
  expect(missing).toEqual([]);
});

test('the console imports nothing of the program: it is a client like any other', () => {
  expect(ofConsole.length).toBeGreaterThan(10);
  // The page of the lessons checks exercises as the command does.
  const clients = ofConsole.filter((path) => !path.startsWith('console/lessons/'));
  const targets = new Set(clients.flatMap(importsOf).filter((target) => !ofConsole.includes(target)));
  const ofFolders = [...targets].filter((target) => target.includes('/') && existsSync(join(root, target)));
  expect(ofFolders).toEqual(['examples/eden/client.ts']);
  expect([...targets].filter((target) => target.startsWith('preact')).length).toBeGreaterThan(0);
});
