/** The tools of one kind: the matrix of their verdicts, and its filters. */
import type { FeatureData, MapData, ToolData } from '../measure/data.ts';
import { Filters } from './filters.tsx';
import { type Group, groupsOf, meaningOf } from './kinds.ts';
import { Bar } from './mark.tsx';
import { Matrix } from './matrix.tsx';
import { renderPage } from './page.tsx';
import { count } from './text.tsx';
import { countedOf, countsOf } from './verdicts.ts';

export const renderKindPages = (data: MapData): [path: string, page: string][] =>
  groupsOf(data.tools).map((group) => [
    `kinds/${group.kind}.html`,
    renderPage({
      data,
      root: '../',
      title: group.name,
      description: `Which ${group.name.toLowerCase()} read which feature of OpenAPI 3.1 and 3.2 correctly.`,
      section: 'Map',
      isWide: true,
      children: <Content group={group} data={data} />,
    }),
  ]);

const Content = ({ group: { kind, name, tools }, data }: { readonly group: Group; readonly data: MapData }) => {
  const features = featuresOf(tools, data.features);
  return (
    <>
      <div class="intro">
        <h1>{name}</h1>
        <p class="lead">
          {meaningOf[kind]} {count(tools.length, 'tool')}, by name, and the {count(features.length, 'feature')} that
          they could be asked for.
        </p>
      </div>
      <Bar counts={countsOf(tools.flatMap(countedOf))} />
      <Filters tools={tools} features={features} />
      <Matrix name={name} tools={tools} features={features} />
      <p class="note">
        An empty cell: the tool does nothing that the feature concerns, or its page says that it cannot be asked, or is
        not measured yet.
        <span class="keys" hidden>
          {' '}
          Arrow keys move from cell to cell.
        </span>
      </p>
    </>
  );
};

/** The features that a tool of the kind was asked for. */
export const featuresOf = (tools: readonly ToolData[], features: readonly FeatureData[]): FeatureData[] =>
  features.filter(({ id }) => tools.some(({ verdicts }) => verdicts.some(({ feature }) => feature === id)));
