/** The first page's tables: the kinds of tools, and for each feature how many tools of a kind read it correctly. */
import type { FeatureData, MapData, ToolData } from '../measure/data.ts';
import { type Group, groupsOf, meaningOf } from './kinds.ts';
import { Bar } from './mark.tsx';
import { Text } from './text.tsx';
import { countedOf, countsOf } from './verdicts.ts';
import { byVersion } from './versions.ts';

/** Kinds are asked different questions, so that each has a matrix of its own. */
export const Kinds = ({ data }: { readonly data: MapData }) => (
  <section>
    <h2 id="kinds">A matrix for each kind of tool</h2>
    <ul class="rows">
      {groupsOf(data.tools).map(({ kind, name, tools }) => (
        <li key={kind}>
          <div>
            <a href={`kinds/${kind}.html`}>{name}</a> <small>{tools.length}</small>
            <p>{meaningOf[kind]}</p>
          </div>
          <Bar counts={countsOf(tools.flatMap(countedOf))} />
        </li>
      ))}
    </ul>
  </section>
);

export const Overview = ({ data }: { readonly data: MapData }) => {
  const groups = groupsOf(data.tools);
  return (
    <section>
      <h2 id="features">The features</h2>
      <p class="note">
        How many tools of a kind are right, of those that read the version and could be asked. A number leads to the
        tools.
      </p>
      <section class="overview" aria-label="Features and kinds of tools" tabindex={0}>
        <table>
          <caption class="unseen">How many tools of each kind are right, for each feature</caption>
          <thead>
            <tr>
              <th scope="col">Feature</th>
              {groups.map(({ kind, name }) => (
                <th key={kind} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          {byVersion(data.features).map(({ version, features }) => (
            <tbody key={version}>
              <tr>
                <th scope="rowgroup" class="version-head" colspan={groups.length + 1}>
                  OpenAPI {version}
                </th>
              </tr>
              {features.map((feature) => (
                <tr key={feature.id}>
                  <th scope="row">
                    <a href={`features/${feature.id}.html`}>
                      <Text text={feature.name} />
                    </a>
                  </th>
                  {groups.map((group) => (
                    <Cell key={group.kind} feature={feature} group={group} />
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </section>
    </section>
  );
};

const Cell = ({ feature, group: { kind, tools } }: { readonly feature: FeatureData; readonly group: Group }) => {
  const { right, asked } = sumsOf(feature, tools);
  return asked === 0 ? (
    <td />
  ) : (
    <td>
      <a href={`kinds/${kind}.html?feature=${feature.id}`}>
        <b>{right}</b> of {asked}
      </a>
    </td>
  );
};

const sumsOf = ({ id }: FeatureData, tools: readonly ToolData[]) => {
  const counts = countsOf(tools.flatMap(({ verdicts }) => verdicts.filter(({ feature }) => feature === id)));
  return { right: counts.right, asked: counts.right + counts.partly + counts.ignored + counts.wrong };
};
