/**
 * For each wrong verdict, a text in Markdown for the tracker of the tool: the check that decides, with each file that its command names. Beside
 * the files it has at most 40 lines. Nothing is sent: a person reads it, looks whether the tracker has it already, and decides.
 */
import { parse } from 'yaml';
import type { CheckResult } from '../measure/check.ts';
import type { FeatureData, MapData, ToolData, VerdictData } from '../measure/data.ts';
import { indentedExactJson } from '../measure/exact-json.ts';
import { type NamedFiles, pathOfCase, pathOfVariant, pathOfWritten } from '../measure/files.ts';
import { urlOfIssue } from '../measure/issues.ts';
import { verdictOf } from '../measure/verdict.ts';
import { versionPathOf } from './evidence.tsx';
import { plain } from './text.tsx';

export interface Finding {
  readonly tool: ToolData;
  readonly feature: FeatureData;
  readonly path: string;
  readonly title: string;
  readonly text: string;
  /** The files of the text, by name. */
  readonly files: ReadonlyMap<string, string>;
}

export interface FindingOptions {
  /** What commands name, by path. */
  readonly named: NamedFiles;
  /** The address of the site, or an empty text. */
  readonly url: string;
}

export const findingsOf = (tool: ToolData, data: MapData, { named, url }: FindingOptions): Finding[] =>
  data.features.flatMap((feature) =>
    tool.verdicts
      .filter((verdict) => verdict.feature === feature.id && verdict.verdict === 'wrong')
      .flatMap((verdict) => {
        const deciding = verdictOf(verdict.checks)?.deciding;
        if (deciding === undefined) return [];
        const title = titleOf(feature, verdict);
        const path = `findings/${tool.id}-${feature.id}.md`;
        const files = filesOf(deciding, { tool, feature, verdict, named });
        return {
          tool,
          feature,
          path,
          title,
          files,
          text: textOf({ title, tool, feature, verdict, deciding, files, data, url }),
        };
      }),
  );

/** A title of a tracker is one line. */
const seenInTitleMax = 100;

const titleOf = ({ since, name }: FeatureData, { seen }: VerdictData): string =>
  seen.length > seenInTitleMax ? `OpenAPI ${since}: ${name}` : `OpenAPI ${since}: ${name}: ${seen.replace(/\.$/, '')}`;

type Subject = Pick<Finding, 'tool' | 'feature' | 'title' | 'files'> & {
  readonly verdict: VerdictData;
  readonly deciding: CheckResult;
  readonly data: MapData;
  readonly url: string;
};

/** What the command reads, by name: the document as the check has it, what a case makes of it, and what the adapter writes. */
const filesOf = (
  { check, command, files = {} }: CheckResult,
  { tool, feature, verdict, named }: Pick<Subject, 'tool' | 'feature' | 'verdict'> & Pick<FindingOptions, 'named'>,
): Map<string, string> => {
  const document = documentOf(check, feature, verdict, named);
  const names = new Set(command.match(/\b(?:mistake|changed)-\d+\.json|\bopenapi\.(?:yaml|json)/g) ?? []);
  if (!names.has('openapi.json') && !isProducer(tool)) names.add('openapi.yaml');
  const written = Object.entries(files).map(
    ([name, key]) => [name, withPlainPorts(named.get(pathOfWritten(tool.id, key)) ?? '')] as const,
  );
  const made = [...names, ...(feature.beside ?? [])].map((name) => {
    if (name === 'openapi.yaml') return [name, document] as const;
    const text = name === 'openapi.json' ? document && jsonOf(document) : named.get(pathOfCase(feature.id, name));
    return [name, text] as const;
  });
  return new Map([...made, ...written].flatMap(([name, text]) => (text ? [[name, text] as const] : [])));
};

/** It writes a document from a program, and reads none. */
const isProducer = ({ kind }: ToolData): boolean => kind === 'producer';

/** A variant is asked with its own document, and a tool that reads only OpenAPI 3.0 with that of 3.0.3. */
const documentOf = (check: string, feature: FeatureData, { openapi }: VerdictData, named: NamedFiles) => {
  const ofVariant = [...named].find(
    ([path]) => check.includes(', ') && path === pathOfVariant(feature.id, check.split(', ').at(-1) ?? ''),
  )?.[1];
  const of30 =
    openapi === '3.0' && feature.since === '3.0' ? named.get(pathOfCase(feature.id, 'openapi-3.0.3.yaml')) : undefined;
  return ofVariant ?? of30 ?? (feature.document || undefined);
};

const jsonOf = (yaml: string): string => indentedExactJson(parse(yaml, { intAsBigInt: true }));

const textOf = (subject: Subject): string => {
  const { title, tool, feature, verdict, deciding, files, data, url } = subject;
  const { check, input, expected, observed, line = '', exchange = '' } = deciding;
  const command = asTyped(deciding.command, tool);
  const installing = installationOf(command, tool);
  const failed = (one: CheckResult) =>
    one !== deciding && (one.grade === 'wrong' || (one.isBasic && one.grade !== 'right'));
  const others = verdict.checks.filter(failed);
  const right = othersThatAreRight(check, subject);
  const facts = [
    `${tool.name} ${tool.version} (${tool.registry}: \`${tool.package}\`)`,
    ...(data.environment === '' ? [] : [data.environment]),
    `seen on ${verdict.date} by a program that repeats it`,
  ];
  const address = url === '' ? '' : ` All of it: ${url}${versionPathOf(tool)}#${feature.id}`;
  return `${[
    `# ${title}`,
    `${facts.join(', ')}.${address}`,
    ...(verdict.issue === undefined ? [] : [reportedIn(verdict.issue)]),
    ...(files.size === 0 ? [] : ['## Files', ...(tool.kind === 'producer' ? [] : [introduction])]),
    ...(!isProducer(tool) && feature.document === '' ? [ofService] : []),
    ...[...files].map(([name, text]) => `\`${name}\`:\n${fence(text, languageOf(name))}`),
    `## ${plain(check)}`,
    [
      ...(installing === undefined ? [] : [fact('Install', installing)]),
      ...(command === '' ? [] : [fact('Use', command)]),
      ...(input === '' ? [] : [fact('Input', input)]),
      fact('Expected', expected),
      fact('Observed', observed),
      ...(line === '' ? [] : [fact('The line that decides', line)]),
      ...(exchange === '' ? [] : [fact('The last exchange with the server', exchange)]),
      ...(right.length === 0 ? [] : [`- As expected here: ${listOf(right)}.`]),
      ...(others.length === 0 ? [] : [`- Not right either: ${listOf(others.map((one) => plain(one.check)))}.`]),
    ].join('\n'),
    '## Why',
    feature.meaning,
    ...(feature.specification === undefined ? [] : [quotesOf(feature.specification)]),
  ].join('\n\n')}\n`;
};

const reportedIn = (issue: NonNullable<VerdictData['issue']>): string =>
  `The tracker had it on ${issue.date}: [${issue.repository}#${issue.number}](${urlOfIssue(issue)}), "${issue.title}".`;

const introduction =
  'The document is the smallest that uses the feature, and is valid by the official schema of OpenAPI.';

const ofService =
  'The document `openapi.yaml`, or `openapi.json`, is the one that Plant Store serves: `openapi/openapi.yaml` in its repository.';

/** A program that needs Node.js is run from its packages. A reader has none. */
const asTyped = (command: string, { package: name, version }: ToolData): string =>
  command.replaceAll(/\bnode node_modules\/\.bin\/([\w.-]+)/g, (_, program: string) =>
    name.split('/').at(-1) === program ? `npx ${name}@${version}` : `npx -p ${name}@${version} ${program}`,
  );

const installationOf = (command: string, { registry, package: name, version }: ToolData): string | undefined => {
  if (registry === 'pypi') return `pip install ${name}==${version}`;
  return registry === 'npm' && !command.includes('npx ') ? `npm install ${name}@${version}` : undefined;
};

/** The port that a server got when it was measured was an accident. */
const withPlainPorts = (text: string): string => text.replaceAll(/\b(127\.0\.0\.1|localhost):\d{4,5}\b/g, '$1:8080');

/** A value on one line is in the line of its name. */
const fact = (name: string, value: string): string => {
  const text = withPlainPorts(value).trimEnd();
  if (text === '') return `- ${name}: nothing`;
  return /[\n`]/.test(text) ? `- ${name}:\n\n${fence(text)}\n` : `- ${name}: \`${text}\``;
};

const namesMax = 8;

const listOf = (names: readonly string[]): string => {
  const [shown, more] = [names.slice(0, namesMax), names.length - namesMax];
  return `${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
};

const languageOf = (name: string): string =>
  ({ yaml: 'yaml', yml: 'yaml', json: 'json', ts: 'ts', js: 'js', mjs: 'js', py: 'python' })[
    name.split('.').at(-1) ?? ''
  ] ?? '';

const quotesOf = ({ url, quotes }: NonNullable<FeatureData['specification']>): string =>
  [`The [specification](${url}) says:`, ...quotes.map((quote) => `> ${quote}`)].join('\n\n');

/** Tools that answer the same question right, so that the question can be answered. */
const othersThatAreRight = (check: string, { feature, data }: Pick<Subject, 'feature' | 'data'>): string[] =>
  data.tools
    .filter(({ verdicts }) =>
      verdicts.some(
        ({ feature: id, checks }) =>
          id === feature.id && checks.some((one) => one.check === check && one.grade === 'right'),
      ),
    )
    .map(({ name, version }) => `${name} ${version}`);

/** A block of code. Its fence is longer than any in the text. */
const fence = (text: string, language = ''): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text.replace(/^\n+/, '').trimEnd()}\n${ticks}`;
};
