/** The verdicts on a tool, by version of OpenAPI, each with its evidence. */
import type { FeatureData, MapData, ToolData, UnaskedData, VerdictData } from '../measure/data.ts';
import { Evidence } from './evidence.tsx';
import { Mark } from './mark.tsx';
import { Remarks } from './remarks.tsx';
import { Text } from './text.tsx';
import { byVersion } from './versions.ts';

export const Verdicts = ({ tool, data }: { readonly tool: ToolData; readonly data: MapData }) => (
  <>
    {byVersion(data.features).map(({ version, features }) => {
      const tried = features.flatMap((feature) =>
        tool.verdicts.filter((one) => one.feature === feature.id).map((verdict) => ({ feature, verdict })),
      );
      return tried.length === 0 ? null : (
        <section key={version}>
          <h3>OpenAPI {version}</h3>
          <ul class="verdicts">
            {tried.map(({ feature, verdict }) => (
              <Item key={feature.id} tool={tool} feature={feature} verdict={verdict} />
            ))}
          </ul>
        </section>
      );
    })}
  </>
);

interface ItemProps {
  readonly tool: ToolData;
  readonly feature: FeatureData;
  readonly verdict: VerdictData;
}

const Item = ({ tool, feature: { name, document, since }, verdict }: ItemProps) => (
  <li>
    <Mark verdict={verdict.verdict} />
    <div>
      <p>
        <a href={`../features/${verdict.feature}.html`}>
          <b>
            <Text text={name} />
          </b>
        </a>
        {since === '3.0' && verdict.openapi === '3.0' && !verdict.feature.startsWith('openapi-') ? (
          <small> with the same document as 3.0.3</small>
        ) : null}
      </p>
      <p>
        <Text text={verdict.seen} />
      </p>
      <Remarks verdict={verdict} />
      <Evidence tool={tool} verdict={verdict} anchor={verdict.feature} hasDocument={document !== ''} />
    </div>
  </li>
);

/** The features for which the tool fails the control. */
export const Unasked = ({ tool, data }: { readonly tool: ToolData; readonly data: MapData }) => {
  const { unasked = [] } = tool;
  return unasked.length === 0 ? null : (
    <section>
      <h3 id="unasked">Cannot be asked</h3>
      <p class="note">It fails the same questions without the feature, so that they say nothing about the feature.</p>
      <ul class="verdicts">
        {data.features.map((feature) =>
          unasked
            .filter((one) => one.feature === feature.id)
            .map((one) => <UnaskedItem key={feature.id} tool={tool} feature={feature} unasked={one} />),
        )}
      </ul>
    </section>
  );
};

interface UnaskedProps {
  readonly tool: ToolData;
  readonly feature: FeatureData;
  readonly unasked: UnaskedData;
}

const UnaskedItem = ({ tool, feature: { id, name, document }, unasked }: UnaskedProps) => (
  <li>
    <span class="mark">no verdict</span>
    <div>
      <p>
        <a href={`../features/${id}.html`}>
          <b>
            <Text text={name} />
          </b>
        </a>
      </p>
      <p>
        <Text text={unasked.seen} />
      </p>
      <Evidence tool={tool} verdict={unasked} anchor={id} hasDocument={document !== ''} />
    </div>
  </li>
);
