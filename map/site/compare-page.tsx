/** Tools side by side: a page for each two tools of a kind, and one on which a script compares the tools in its URL. */
import type { FeatureData, MapData, ToolData, VerdictData } from '../measure/data.ts';
import { versionPathOf } from './evidence.tsx';
import { groupsOf } from './kinds.ts';
import { Mark } from './mark.tsx';
import { renderPage } from './page.tsx';
import { Text } from './text.tsx';
import { countedOf, countsOf, signs, words } from './verdicts.ts';
import { byVersion } from './versions.ts';

type Pair = readonly [ToolData, ToolData];

/** The two in the order of their names, as in the lists. */
const pathOf = ([first, second]: Pair): string => `compare/${first.id}-and-${second.id}.html`;

const pairsOf = (tools: readonly ToolData[]): Pair[] =>
  tools.flatMap((first, index) => tools.slice(index + 1).map((second): Pair => [first, second]));

export const renderComparePages = (data: MapData): [path: string, page: string][] => [
  ['compare.html', renderChooser(data)],
  ...groupsOf(data.tools)
    .flatMap(({ tools }) => pairsOf(tools))
    .map((pair): [string, string] => [pathOf(pair), renderPair(pair, data)]),
];

const renderPair = (pair: Pair, data: MapData): string =>
  renderPage({
    data,
    root: '../',
    title: pair.map(({ name }) => name).join(' and '),
    description: `What ${pair.map(({ name, version }) => `${name} ${version}`).join(' and ')} read of OpenAPI 3.1 and 3.2.`,
    section: 'Compare',
    children: <Comparison tools={pair} data={data} />,
  });

const Comparison = ({ tools, data }: { readonly tools: Pair; readonly data: MapData }) => (
  <>
    <h1>{tools.map(({ name }) => name).join(' and ')}</h1>
    <p class="note">
      Another comparison: <a href={`../compare.html?tools=${tools.map(({ id }) => id).join(',')}`}>choose the tools</a>.
    </p>
    {byVersion(data.features.filter(({ id }) => tools.some((tool) => verdictOn(tool, id)))).map(
      ({ version, features }) => (
        <section key={version} class="overview" aria-label={`OpenAPI ${version}`} tabindex={0}>
          <table class="compare">
            <caption>OpenAPI {version}</caption>
            <thead>
              <tr>
                <th scope="col">Feature</th>
                {tools.map((tool) => (
                  <th key={tool.id} scope="col">
                    <a href={`../tools/${tool.id}.html`}>{tool.name}</a> <small>{tool.version}</small>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {features.map((feature) => (
                <Row key={feature.id} feature={feature} tools={tools} />
              ))}
            </tbody>
          </table>
        </section>
      ),
    )}
  </>
);

const Row = ({ feature, tools }: { readonly feature: FeatureData; readonly tools: Pair }) => (
  <tr>
    <th scope="row">
      <a href={`../features/${feature.id}.html`}>
        <Text text={feature.name} />
      </a>
    </th>
    {tools.map((tool) => {
      const verdict = verdictOn(tool, feature.id);
      return verdict === undefined ? (
        <td key={tool.id}>not asked</td>
      ) : (
        <td key={tool.id}>
          <a href={`../${versionPathOf(tool)}#${feature.id}`}>
            <Mark verdict={verdict.verdict} />
          </a>
        </td>
      );
    })}
  </tr>
);

const verdictOn = ({ verdicts }: ToolData, id: string): VerdictData | undefined =>
  verdicts.find(({ feature }) => feature === id);

const renderChooser = (data: MapData): string =>
  renderPage({
    data,
    root: '',
    title: 'Compare tools',
    description: 'Tools of a kind side by side, feature by feature.',
    section: 'Compare',
    children: <Chooser data={data} />,
  });

const Chooser = ({ data }: { readonly data: MapData }) => (
  <>
    <h1>Compare tools</h1>
    <p class="lead">
      Any two tools of a kind have a page. With JavaScript, <code>compare.html?tools=a,b,c</code> compares more.
    </p>
    <div id="compared" hidden />
    {groupsOf(data.tools).map(({ kind, name, tools }) => (
      <section key={kind} data-kind={kind}>
        <h2>{name}</h2>
        {tools.map((tool, index) => {
          const others = tools.slice(index + 1);
          return others.length === 0 ? null : (
            <details key={tool.id}>
              <summary>{tool.name} with …</summary>
              <ul class="plain">
                {others.map((other) => (
                  <li key={other.id}>
                    <a href={pathOf([tool, other])}>{other.name}</a>
                  </li>
                ))}
              </ul>
            </details>
          );
        })}
      </section>
    ))}
    <script type="application/json" id="compare-data" dangerouslySetInnerHTML={{ __html: dataOf(data) }} />
  </>
);

/** What the script needs: of each tool its verdicts in the order of the features. A page from a file cannot fetch. */
const dataOf = ({ features, tools }: MapData): string =>
  JSON.stringify({
    words,
    signs,
    features: byVersion(features).flatMap((group) => group.features.map(({ id, name }) => [id, name])),
    tools: Object.fromEntries(
      tools.map((tool) => [
        tool.id,
        {
          name: tool.name,
          version: tool.version,
          kind: tool.kind,
          counts: countsOf(countedOf(tool)),
          verdicts: Object.fromEntries(tool.verdicts.map(({ feature, verdict }) => [feature, verdict])),
        },
      ]),
    ),
  }).replaceAll('<', '\\u003c');
