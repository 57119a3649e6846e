/**
 * The layers of the program. A folder of a resource, such as `src/plants/`, has one file or more of each of several layers: its rules, its rows,
 * its queries and its operations. Imports between layers run one way.
 */
interface Layer {
  readonly name: string;
  /** Its files. A file belongs to the first layer that matches. */
  readonly files: RegExp;
  /** The other layers that it may import. */
  readonly layers: readonly string[];
  /** The packages that it may import: names, or the beginnings of names. */
  readonly packages: readonly string[];
}

const resource = `^src/(?:plants|events|webhooks|deliveries|tokens)/`;

export const layers: readonly Layer[] = [
  // From the rules, only types.
  { name: 'db', files: /^db\//, layers: ['rules'], packages: ['drizzle-orm', 'drizzle-kit'] },
  { name: 'base', files: /^src\/base\//, layers: [], packages: ['node:'] },
  // Only types, so that every other file can say what it expects.
  { name: 'runtime', files: /^src\/runtime\/runtime\.ts$/, layers: ['base'], packages: ['node:'] },
  // Every old runtime must be able to load the first of these.
  { name: 'bun', files: /^src\/runtime\//, layers: ['runtime', 'base'], packages: ['bun', 'bun:', 'node:'] },
  { name: 'node', files: /^src\/node\//, layers: ['runtime', 'base'], packages: ['node:'] },
  {
    name: 'rules',
    files: new RegExp(
      String.raw`^src/(?:app-error|sample-data)\.ts$|${resource}(?:plant|order|event|webhook|delivery|place|lease|token)\.ts$`,
    ),
    layers: ['base'],
    // From node:net, only the check whether a text is an address.
    packages: ['node:crypto', 'node:zlib', 'node:net'],
  },
  {
    name: 'postgres tables',
    files: /^src\/postgres\/(?:tables\.ts|drizzle\.config\.ts|migrations\b)/,
    layers: ['rules'],
    packages: ['drizzle-orm', 'drizzle-kit'],
  },
  { name: 'rows', files: new RegExp(`${resource}row\\.ts$`), layers: ['rules', 'db'], packages: [] },
  {
    name: 'store',
    files: /^src\/store\/[\w-]+\.ts$/,
    layers: ['rows', 'rules', 'base', 'db'],
    packages: ['drizzle-orm', 'node:crypto'],
  },
  {
    name: 'sqlite',
    files: new RegExp(String.raw`^src/store/sqlite/|${resource}sqlite(?:-[\w-]+)?\.ts$`),
    layers: ['store', 'rows', 'rules', 'runtime', 'base', 'db'],
    packages: ['drizzle-orm', 'node:'],
  },
  { name: 'postgres url', files: /^src\/postgres\/url\.ts$/, layers: ['base'], packages: ['node:'] },
  {
    name: 'postgres driver',
    files: /^src\/postgres\/driver\//,
    layers: ['postgres url', 'base'],
    packages: ['bun', 'node:', 'pg'],
  },
  {
    name: 'postgres',
    files: /^src\/postgres\//,
    layers: ['postgres driver', 'postgres url', 'postgres tables', 'store', 'rows', 'rules', 'runtime', 'base', 'db'],
    packages: ['drizzle-orm', 'node:'],
  },
  { name: 'engines', files: /^src\/engines\.ts$/, layers: ['postgres', 'store', 'base'], packages: [] },
  {
    name: 'config',
    files: /^src\/(?:config|settings|setting-[\w-]*)\.ts$/,
    layers: ['engines', 'store', 'base'],
    packages: ['node:'],
  },
  { name: 'log', files: /^src\/log\.ts$/, layers: ['config', 'rules', 'runtime', 'base'], packages: ['pino'] },
  { name: 'metrics', files: /^src\/metrics\.ts$/, layers: ['store', 'rules', 'base'], packages: [] },
  // Only types, so that other layers can report to a tracer without loading it.
  { name: 'tracer', files: /^src\/tracing\/tracer\.ts$/, layers: ['store', 'rules'], packages: [] },
  {
    name: 'tracing',
    files: /^src\/tracing\//,
    layers: ['tracer', 'log', 'config', 'store', 'rules', 'runtime', 'base'],
    packages: ['@opentelemetry/', 'node:timers/promises'],
  },
  {
    name: 'jobs',
    files: /^src\/(?:events\/prune|tokens\/uses)\.ts$/,
    layers: ['log', 'metrics', 'store', 'base'],
    packages: ['node:'],
  },
  {
    name: 'sender',
    files: /^src\/sender\//,
    layers: ['tracer', 'log', 'metrics', 'store', 'rules', 'runtime', 'base'],
    packages: ['node:'],
  },
  {
    name: 'http',
    files: new RegExp(String.raw`^src/(?:http|document)/|${resource}[\w-]+\.ts$`),
    layers: ['tracer', 'log', 'metrics', 'config', 'store', 'rules', 'runtime', 'base'],
    packages: [
      'elysia',
      '@elysiajs/',
      '@sinclair/typebox',
      'negotiator',
      'yaml',
      'node:crypto',
      'node:dns/promises',
      'node:fs',
      'node:timers/promises',
      'node:util',
      'node:zlib',
    ],
  },
  {
    name: 'demo',
    files: /^src\/demo\//,
    layers: ['http', 'sender', 'tracer', 'log', 'metrics', 'config', 'store', 'rules', 'runtime', 'base'],
    packages: ['elysia', 'standardwebhooks', 'node:timers/promises'],
  },
  {
    name: 'cli',
    files: /^src\/cli\//,
    layers: [
      ...['demo', 'http', 'sender', 'jobs', 'tracing', 'tracer', 'log', 'metrics', 'config'],
      ...['sqlite', 'store', 'rules', 'runtime', 'base', 'db'],
    ],
    packages: ['commander', 'csv-stringify', 'pino-pretty', '@sinclair/typebox', 'node:'],
  },
  { name: 'main', files: /^src\/main\.ts$/, layers: ['cli', 'bun'], packages: [] },
];

/** The layer of a file of the program. */
export const layerOf = (path: string): Layer | undefined => layers.find(({ files }) => files.test(path));
