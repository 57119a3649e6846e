/** The matrix of a kind: a row for each tool, and a column for each feature that the kind was asked for, by version of OpenAPI. */
import type { FeatureData, ToolData, VerdictData } from '../measure/data.ts';
import { plain, Text } from './text.tsx';
import { askedOf, countsOf, words } from './verdicts.ts';
import { byVersion } from './versions.ts';

interface MatrixProps {
  readonly name: string;
  readonly tools: readonly ToolData[];
  readonly features: readonly FeatureData[];
}

export const Matrix = ({ name, tools, features: asked }: MatrixProps) => {
  const versions = byVersion(asked);
  const features = versions.flatMap((group) => group.features);
  return (
    // A region that scrolls must be reachable by keyboard.
    <section class="matrix" aria-label={`Matrix of ${name.toLowerCase()} and features`} tabindex={0}>
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
        <tbody>
          {tools.map((tool) => (
            <Row key={tool.id} tool={tool} features={features} />
          ))}
        </tbody>
      </table>
    </section>
  );
};

const FeatureHead = ({ feature: { id, name, since } }: { readonly feature: FeatureData }) => (
  <th scope="col" data-feature={id} data-version={since}>
    <a href={`../features/${id}.html`} title={plain(name)}>
      <Text text={name} />
    </a>
  </th>
);

const Row = ({ tool, features }: { readonly tool: ToolData; readonly features: readonly FeatureData[] }) => (
  <tr data-language={tool.language} data-text={`${tool.name} ${tool.package}`}>
    <th scope="row">
      <a href={`../tools/${tool.id}.html`}>{tool.name}</a> <small>{tool.language}</small>
    </th>
    <td class="sum">
      {countsOf(tool.verdicts).right}
      <small> of {askedOf(tool)}</small>
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
      <a href={`../tools/${tool.id}.html#${verdict.feature}`}>{words[verdict.verdict]}</a>
    </td>
  );
