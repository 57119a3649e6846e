/** The matrix: a row for each tool, by kind, and a column for each feature, by version of OpenAPI. */
import type { FeatureData, MapData, ToolData, VerdictData } from '../measure/data.ts';
import { groupsOf } from './kinds.ts';
import { plain, Text } from './text.tsx';
import { countsOf } from './verdicts.ts';
import { byVersion } from './versions.ts';

export const Matrix = ({ data }: { readonly data: MapData }) => {
  const versions = byVersion(data.features);
  const features = versions.flatMap((group) => group.features);
  return (
    // A region that scrolls must be reachable by keyboard.
    <section class="matrix" aria-label="Matrix of tools and features" tabindex={0}>
      <table>
        <caption class="unseen">The verdict on each tool, for each feature</caption>
        <colgroup>
          <col />
          <col />
        </colgroup>
        {versions.map((group) => (
          <colgroup key={group.version}>
            {group.features.map(({ id }) => (
              <col key={id} />
            ))}
          </colgroup>
        ))}
        <thead>
          <tr class="versions">
            <td />
            <td />
            {versions.map(({ version, features }) => (
              <th key={version} scope="colgroup" colspan={features.length} data-version={version}>
                <span>OpenAPI {version}</span>
              </th>
            ))}
          </tr>
          <tr class="features">
            <th scope="col">Tool</th>
            <th scope="col" class="sum">
              <span>right</span>
            </th>
            {features.map((feature) => (
              <FeatureHead key={feature.id} feature={feature} />
            ))}
          </tr>
        </thead>
        {groupsOf(data.tools).map(({ kind, name, tools }) => (
          <tbody key={kind} id={kind} data-kind={kind}>
            <tr>
              <th scope="rowgroup" class="kind" colspan={features.length + 2}>
                <span>{name}</span>
              </th>
            </tr>
            {tools.map((tool) => (
              <Row key={tool.id} tool={tool} features={features} />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
};

const FeatureHead = ({ feature: { id, name, since } }: { readonly feature: FeatureData }) => (
  <th scope="col" data-feature={id} data-version={since}>
    <a href={`features/${id}.html`} title={plain(name)}>
      <Text text={name} />
    </a>
  </th>
);

const Row = ({ tool, features }: { readonly tool: ToolData; readonly features: readonly FeatureData[] }) => (
  <tr data-language={tool.language} data-text={`${tool.name} ${tool.package}`}>
    <th scope="row">
      <a href={`tools/${tool.id}.html`}>{tool.name}</a> <small>{tool.language}</small>
    </th>
    <td class="sum">
      {countsOf(tool.verdicts).right}
      <small> of {tool.verdicts.length}</small>
    </td>
    {features.map(({ id }) => (
      <Cell key={id} tool={tool} verdict={tool.verdicts.find(({ feature }) => feature === id)} />
    ))}
  </tr>
);

/** There are thousands of these, and each byte counts: the style shows the sign of the word. */
const Cell = ({ tool, verdict }: { readonly tool: ToolData; readonly verdict: VerdictData | undefined }) =>
  verdict === undefined ? (
    <td />
  ) : (
    <td class={verdict.verdict}>
      <a href={`tools/${tool.id}.html#${verdict.feature}`}>{verdict.verdict}</a>
    </td>
  );
