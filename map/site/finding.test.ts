/** Each text for a tracker is complete: a stranger has what it names, and can read it. */
import { describe, expect, test } from 'bun:test';
import { readMapData } from '../measure/data.ts';
import { readNamedFiles } from '../measure/files.ts';
import { verdictOf } from '../measure/verdict.ts';
import { exampleData } from './example-data.ts';
import { type Finding, findingsOf } from './finding.ts';

const [data, named] = [await readMapData(), await readNamedFiles()];
const findings = data.tools.flatMap((tool) => findingsOf(tool, data, { named, url: '' }));

const decidingOf = ({ tool, feature }: Finding) =>
  verdictOf(tool.verdicts.find((one) => one.feature === feature.id)?.checks ?? [])?.deciding;

/** What a command of a tool writes, or asks a server for. */
const outputs = [
  'api.ts',
  'bundled.json',
  'bundled.yaml',
  'client/client.go',
  'collection.json',
  'formatted.json',
  'models.py',
  'workflow.yml',
];

const namesIn = (command: string): string[] =>
  [...command.replaceAll(/https?:\/\/\S+/g, '').matchAll(/[\w@./-]+\.(?:json|ya?ml|[cm]?[jt]s|py|go|toml|cfg)\b/g)]
    .map(([name]) => name.replace(/^\.?\//, ''))
    .filter((name) => !name.includes('node_modules/'));

const missingOf = (finding: Finding): string[] =>
  namesIn(decidingOf(finding)?.command ?? '').filter(
    (name) =>
      !outputs.includes(name) &&
      // The document of the service is in the repository: 1,700 lines.
      !(finding.feature.document === '' && name.startsWith('openapi.')) &&
      !finding.text.includes(`\n\`${name}\`:\n\`\`\``),
  );

/** The text without its files. */
const restOf = ({ text, files }: Finding): string =>
  [...files.keys()].reduce(
    (rest, name) => rest.replace(new RegExp(`\n\`${name}\`:\n(\`\`\`+)\\w*\n[\\s\\S]*?\n\\1\n`), ''),
    text,
  );

test('there are texts of tools of several kinds', () => {
  expect(findings.length).toBeGreaterThan(200);
  expect(new Set(findings.map(({ tool }) => tool.kind)).size).toBeGreaterThan(6);
});

test('each file that a command names is in the text', () => {
  expect(findings.filter((one) => missingOf(one).length > 0).map((one) => [one.path, ...missingOf(one)])).toEqual([]);
});

test('each file that the adapter wrote for the command is in the text', () => {
  const missing = findings.flatMap((one) =>
    Object.keys(decidingOf(one)?.files ?? {})
      .filter((name) => !one.files.has(name))
      .map((name) => [one.path, name]),
  );
  expect(missing).toEqual([]);
});

test('the exchange of a tester is in the text where the check has one', () => {
  const asked = findings.filter((one) => decidingOf(one)?.exchange !== undefined);
  expect(asked.length).toBeGreaterThan(8);
  const without = asked.filter(
    (one) => !one.text.includes((decidingOf(one)?.exchange ?? '').split('\n')[0]?.trim() || 'no exchange'),
  );
  expect(without.map(({ path }) => path)).toEqual([]);
});

test('no text has a port that was an accident', () => {
  const ports = findings.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:127\.0\.0\.1|localhost):(\d+)/g)]
      .filter(([, port]) => port !== '8080')
      .map(([address]) => `${path}: ${address}`),
  );
  expect(ports).toEqual([]);
});

test('each text has at most 40 lines beside its files', () => {
  const long = findings
    .map((one) => [one.path, restOf(one).trimEnd().split('\n').length] as const)
    .filter(([, lines]) => lines > 40);
  expect(long).toEqual([]);
});

test('a command runs without the packages of the map', () => {
  expect(findings.filter(({ text }) => /- Use: .*node_modules/.test(text)).map(({ path }) => path)).toEqual([]);
});

test('a text for OpenAPI 3.0 has the document of that version', () => {
  const of30 = findings.filter(
    ({ tool, feature }) =>
      feature.since === '3.0' && tool.verdicts.some((one) => one.feature === feature.id && one.openapi === '3.0'),
  );
  const versions = of30.flatMap(({ files }) =>
    [...files.values()].flatMap((text) => /openapi"?: "?(3\.\d)/.exec(text)?.[1] ?? []),
  );
  expect(versions.length).toBeGreaterThan(0);
  expect(new Set(versions)).toEqual(new Set(['3.0']));
});

describe('of the example', () => {
  const [tool] = exampleData.tools;
  const [feature] = exampleData.features;
  const textWith = (change: object): string => {
    if (tool === undefined || feature === undefined) throw new Error('The example has no tool.');
    const verdicts = tool.verdicts.map((verdict) => ({
      ...verdict,
      checks: verdict.checks.map((check) => ({ ...check, ...change })),
    }));
    const changed = { ...tool, verdicts };
    const files = new Map([['files/a-linter/1/rules.yaml', 'server: http://127.0.0.1:41234']]);
    return (
      findingsOf(changed, { ...exampleData, tools: [changed] }, { named: files, url: 'https://map.example/' })[0]
        ?.text ?? ''
    );
  };

  test('a file, an exchange, a port and the permanent address are in the text', () => {
    const text = textWith({
      command: 'node node_modules/.bin/a-linter openapi.json --rules rules.yaml http://127.0.0.1:41234',
      files: { 'rules.yaml': '1/rules.yaml' },
      exchange: 'GET /a\n\n200 application/json\n{}',
    });
    expect(text).toContain('`rules.yaml`:\n```yaml\nserver: http://127.0.0.1:8080\n```');
    expect(text).toContain('`openapi.json`:\n```json\n{\n  "openapi": "3.1.1"');
    expect(text).toContain('- Use: `npx a-linter@1.0.0 openapi.json --rules rules.yaml http://127.0.0.1:8080`');
    expect(text).toContain('```\nGET /a\n\n200 application/json\n{}\n```');
    expect(text).toContain('https://map.example/tools/a-linter@1.0.0.html#type-arrays');
  });
});
