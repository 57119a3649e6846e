/** FEATURES.md, made from the data of the map. `bun run generate` and `bun run map` write it. */
import { type CaseText, readCases } from './measure/case.ts';
import { type FeatureData, type Kind, type MapData, readMapData, type Verdict } from './measure/data.ts';
import { countedOf, words } from './site/verdicts.ts';

export const featuresPage = async (): Promise<string> => {
  const [data, cases] = await Promise.all([readMapData(), readCases()]);
  const tried = data.tools.flatMap((tool) =>
    tool.verdicts.map(({ feature, verdict }): Tried => ({ feature, verdict, tool: tool.name, kind: tool.kind })),
  );
  const rows = data.features.map((feature) => [
    link(feature.name),
    ...kinds.map(([kind]) => countsOf(tried.filter((one) => one.feature === feature.id && one.kind === kind))),
  ]);
  const testsOf = ({ id }: FeatureData) => cases.find((one) => one.id === id)?.use?.tests ?? [];
  return `${[
    introduction(data),
    table(['feature', ...kinds.map(([, name]) => name)], rows),
    quality,
    '## Each feature',
    ...data.features.map((feature) =>
      section(
        feature,
        testsOf(feature),
        tried.filter((one) => one.feature === feature.id),
      ),
    ),
    '## Each tool',
    table(
      ['tool', 'version', 'package', 'kind', 'language', 'verdicts'],
      data.tools.map((tool) => [
        tool.name,
        tool.version,
        `\`${tool.package}\` (${tool.registry})`,
        tool.kind,
        tool.language,
        countsOf(countedOf(tool)),
      ]),
    ),
  ].join('\n\n')}\n`;
};

interface Tried {
  readonly feature: string;
  readonly verdict: Verdict;
  readonly tool: string;
  readonly kind: Kind;
}

const marks: readonly (readonly [Verdict, string])[] = [
  ['right', '✓'],
  ['partly', '◐'],
  ['ignored', '○'],
  ['wrong', '✗'],
  ['version', '⊘'],
];

/** The columns of the matrix. */
const kinds: readonly (readonly [Kind, string])[] = [
  ['linter', 'linters'],
  ['parser', 'parsers'],
  ['generator', 'generators'],
  ['validator', 'validators'],
  ['mock', 'mocks'],
  ['schema', 'schemas'],
  ['tester', 'testers'],
  ['viewer', 'viewers'],
  ['producer', 'producers'],
  ['other', 'others'],
];

const introduction = ({ tools }: MapData): string => `# Features of OpenAPI 3.1 and 3.2, and how tools read them

[openapi.yaml](../openapi/openapi.yaml) uses a feature because the service does something that only this feature can express. [The map](README.md)
measures ${tools.length} tools on a small document for each feature. \`bun run map site\` writes it as pages with the evidence of each verdict, and as JSON.
\`bun run generate\` generates this page from the same data.

Each cell is a number of tools: ${marks.map(([verdict, mark]) => `${mark} ${words[verdict]}`).join(' · ')}. An empty cell means that no tool could be asked, or none was asked yet.`;

const quality = `The document is valid against the official schema of OpenAPI 3.1. It has 0 errors and 0 warnings with the rules recommended-strict of Redocly and
with the OpenAPI rules of Spectral, except the one about [roles](#roles-on-a-bearer-requirement), which is turned off.
[openapi-3.0.json](../openapi/openapi-3.0.json) omits features that OpenAPI 3.0 cannot express, and [openapi-3.2.json](../openapi/openapi-3.2.json)
has those that only 3.2 can express.`;

const countsOf = (verdicts: readonly { readonly verdict: Verdict }[]): string =>
  marks
    .map(([verdict, mark]) => [mark, verdicts.filter((one) => one.verdict === verdict).length] as const)
    .filter(([, count]) => count > 0)
    .map(([mark, count]) => `${mark}\u00A0${count}`)
    .join(' ');

const section = (
  { name, meaning, why, use }: FeatureData,
  tests: NonNullable<NonNullable<CaseText['use']>['tests']>,
  tried: readonly Tried[],
): string => {
  const pointers = use.pointers.map((pointer) => (pointer === '' ? 'all of it' : `\`${pointer}\``));
  const lines = [
    use.document === '' ? '- Our service does not use it.' : `- In \`${use.document}\`: ${pointers.join(', ')}`,
    ...tests.map(({ file, test }) => `- Tested in [${file}](../${file}): "${test.replaceAll('`', '')}"`),
    ...marks.flatMap(([verdict, mark]) => {
      const names = tried.filter((one) => one.verdict === verdict).map(({ tool }) => tool);
      return names.length > 0 ? [`- ${mark} ${names.join(', ')}`] : [];
    }),
  ];
  return [`### ${name}`, `${meaning} ${why}`, lines.join('\n')].join('\n\n');
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** A link to the heading with this name. */
const link = (heading: string): string => `[${heading}](#${anchorOf(heading)})`;

/** The anchor of a heading, as GitHub generates it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
