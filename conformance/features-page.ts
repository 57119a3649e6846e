/** FEATURES.md, made from the feature matrix. `bun run features` prints it. */
import type { Feature, FeatureMatrix, Kind, TestReference, Tool, ToolVerdict, Verdict } from './features.ts';

export const renderPage = ({ features, tools }: FeatureMatrix): string => {
  const tried = tools.flatMap((tool) => tool.verdicts.map((verdict): Tried => ({ ...verdict, tool })));
  const isOf32 = ({ document }: Feature): boolean => document === 'openapi-3.2.json';
  const ofOthers = features.filter((feature) => !isOf32(feature));
  return `${[
    introduction(tools),
    matrix(ofOthers, tried),
    quality,
    introductionOf32,
    matrix(features.filter(isOf32), tried),
    eachFeature,
    ...features.map((feature) => section(feature, triedOn(feature, tried))),
    '## Each tool',
    toolTable(tools),
    ...tools.filter(({ notes }) => notes.length > 0).map(notesOf),
  ].join('\n\n')}\n`;
};

interface Tried extends ToolVerdict {
  readonly tool: Tool;
}

const marks: Readonly<Record<Verdict, string>> = { right: '✓', partly: '◐', ignored: '○', wrong: '✗' };

const verdicts: readonly Verdict[] = ['right', 'partly', 'ignored', 'wrong'];

/** The columns of the matrix. */
const kinds: readonly (readonly [Kind, string])[] = [
  ['linter', 'linters'],
  ['parser', 'parsers'],
  ['generator', 'generators'],
  ['validator', 'validators'],
  ['tester', 'testers'],
  ['viewer', 'viewers'],
];

const introduction = (tools: readonly Tool[]): string => `# Features of OpenAPI 3.1, and how tools read them

[openapi.yaml](../openapi/openapi.yaml) uses a feature because the service does something that only this feature can express. We
tried ${tools.filter((tool) => tool.verdicts.length > 0).length} tools on it, or on a small document with one feature. [features.json](features.json) has the same data for programs
([schema](features.schema.json)), and \`bun run features\` generates this page from it.

${marks.right} with the number of tools that read it correctly · ${marks.partly} partly · ${marks.ignored} ignored · ${marks.wrong} wrong. Tools that are not listed were not tried.`;

const quality = `The document is valid against the official schema of OpenAPI 3.1. It has 0 errors and 0 warnings with the rules recommended-strict of Redocly and
with the OpenAPI rules of Spectral, except the one about [roles](#roles-on-a-bearer-requirement), which is turned off.
[openapi-3.0.json](../openapi/openapi-3.0.json) omits features that OpenAPI 3.0 cannot express.`;

const introductionOf32 = `[openapi-3.2.json](../openapi/openapi-3.2.json) is the same document in OpenAPI 3.2, with features that only 3.2 can express:`;

const eachFeature = `## Each feature

For each feature: where the document uses it, the tests of the service, and how each tool reads it. The test after a date repeats the
observation of that day in CI, and fails once the tool changes.`;

const matrix = (features: readonly Feature[], tried: readonly Tried[]): string => {
  const rows = features.map((feature) => [
    link(feature.name),
    ...kinds.map(([kind]) => cellOf(triedOn(feature, tried).filter(({ tool }) => tool.kind === kind))),
  ]);
  return table(['feature', ...kinds.map(([, name]) => name)], rows);
};

const cellOf = (tried: readonly Tried[]): string => {
  const right = tried.filter(({ verdict }) => verdict === 'right').length;
  const others = verdicts
    .filter((verdict) => verdict !== 'right')
    .flatMap((verdict) => tried.filter((one) => one.verdict === verdict))
    .map(({ tool, verdict }) => `${marks[verdict]}\u00A0${tool.name}`);
  return [...(right > 0 ? [`${marks.right}\u00A0${right}`] : []), ...others].join(', ');
};

const section = ({ name, use, document, pointers, tests }: Feature, tried: readonly Tried[]): string => {
  const right = tried.filter(({ verdict }) => verdict === 'right');
  const lines = [
    `- In \`${document}\`: ${pointers.map((pointer) => (pointer === '' ? 'all of it' : `\`${pointer}\``)).join(', ')}`,
    ...tests.map((test) => `- Tested in ${quote(test)}`),
    ...tried.filter(({ verdict }) => verdict !== 'right').map(lineOf),
    ...right.map(lineOf),
  ];
  return [`### ${name}`, use, lines.join('\n')].join('\n\n');
};

const lineOf = ({ tool, verdict, seen, date, by }: Tried): string =>
  `- ${marks[verdict]} **${tool.name}** ${tool.version}: ${seen} (${date}, ${by === undefined ? 'by hand' : linkToFile(by.file)})`;

/** A link from the page, which is in `conformance/`, to a file of the repository. */
const linkToFile = (path: string): string => `[${path}](../${path})`;

const quote = ({ file, test }: TestReference): string => `${linkToFile(file)}: "${test.replaceAll('`', '')}"`;

const toolTable = (tools: readonly Tool[]): string => {
  const rows = tools.map((tool) => [
    tool.notes.length > 0 ? link(tool.name) : tool.name,
    tool.version,
    `\`${tool.package}\` (${tool.registry})`,
    tool.kind,
    tool.language,
    verdicts
      .map((verdict) => [verdict, tool.verdicts.filter((one) => one.verdict === verdict).length] as const)
      .filter(([, count]) => count > 0)
      .map(([verdict, count]) => `${marks[verdict]} ${count}`)
      .join(' '),
  ]);
  return table(['tool', 'version', 'package', 'kind', 'language', 'verdicts'], rows);
};

const notesOf = ({ name, notes }: Tool): string => [`### ${name}`, ...notes].join('\n\n');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const triedOn = ({ id }: Feature, tried: readonly Tried[]): Tried[] => tried.filter(({ feature }) => feature === id);

/** A link to the heading with this name. The anchor is the one that GitHub generates. */
const link = (heading: string): string => {
  const anchor = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
  return `[${heading}](#${anchor})`;
};
