/** A feature: what it means, the smallest document, why a service needs it, and what each tool does with it. */
import type { FeatureData, MapData } from '../measure/data.ts';
import { pathOfCase } from '../measure/files.ts';
import { Code } from './code.tsx';
import { Evidence } from './evidence.tsx';
import { groupsOf } from './kinds.ts';
import { Bar, Mark } from './mark.tsx';
import { renderPage } from './page.tsx';
import { Remarks } from './remarks.tsx';
import { Text } from './text.tsx';
import { countsOf, type Tried, triedOn } from './verdicts.ts';

export const renderFeaturePage = (feature: FeatureData, data: MapData): string =>
  renderPage({
    data,
    root: '../',
    title: feature.name,
    description: `Which tools read ${feature.name} of OpenAPI ${feature.since} correctly.`,
    section: 'Features',
    children: <Content feature={feature} data={data} />,
  });

const Content = ({ feature, data }: { readonly feature: FeatureData; readonly data: MapData }) => {
  const tried = triedOn(feature.id, data);
  return (
    <>
      <p class="above">OpenAPI {feature.since}</p>
      <h1>
        <Text text={feature.name} />
      </h1>
      <p class="lead">
        <Text text={feature.meaning} />
      </p>
      <Bar counts={countsOf(tried.map(({ verdict }) => verdict))} />
      {feature.why !== feature.meaning && (
        <>
          <h2>Why a service needs it</h2>
          <p>
            <Text text={feature.why} />
          </p>
        </>
      )}
      <Specification specification={feature.specification} />
      {feature.document !== '' && (
        <>
          <h2>The smallest document</h2>
          <Code text={feature.document.trimEnd()} name="openapi.yaml" copy />
          <p>
            <a href={`${feature.id}.yaml`} download="openapi.yaml">
              Download it
            </a>
            {(feature.beside ?? []).map((name) => (
              <span key={name}>
                , with <a href={`../${pathOfCase(feature.id, name)}`}>{name}</a> beside it
              </span>
            ))}
          </p>
        </>
      )}
      <h2>What each tool does</h2>
      {groupsOf(tried.map(({ tool }) => tool)).map(({ kind, name }) => (
        <section key={kind}>
          <h3>{name}</h3>
          <ul class="verdicts">
            {tried
              .filter(({ tool }) => tool.kind === kind)
              .map((one) => (
                <Item key={one.tool.id} tried={one} hasDocument={feature.document !== ''} />
              ))}
          </ul>
        </section>
      ))}
      <Unasked feature={feature.id} data={data} />
      <Use use={feature.use} />
    </>
  );
};

/** The tools that fail the control. */
const Unasked = ({ feature, data: { tools } }: { readonly feature: string; readonly data: MapData }) => {
  const unasked = tools.flatMap((tool) =>
    (tool.unasked ?? []).filter((one) => one.feature === feature).map(({ seen }) => ({ tool, seen })),
  );
  return unasked.length === 0 ? null : (
    <>
      <h3 id="unasked">Cannot be asked</h3>
      <ul>
        {unasked.map(({ tool: { id, name }, seen }) => (
          <li key={id}>
            <a href={`../tools/${id}.html#${feature}`}>{name}</a>: <Text text={seen} />
          </li>
        ))}
      </ul>
    </>
  );
};

const Specification = ({ specification }: { readonly specification: FeatureData['specification'] }) =>
  specification === undefined ? null : (
    <>
      <h2>What the specification says</h2>
      {specification.quotes.map((quote) => (
        <blockquote key={quote} cite={specification.url}>
          <Text text={quote} />
        </blockquote>
      ))}
      <p>
        <a href={specification.url}>In the specification</a>
      </p>
    </>
  );

const Use = ({ use: { document, pointers } }: { readonly use: FeatureData['use'] }) =>
  document === '' ? (
    <p class="note">Plant Store does not use it: users of the tools asked for it in their trackers.</p>
  ) : (
    <>
      <h2>Where Plant Store uses it</h2>
      <p>
        In <code>{document}</code>
        {pointers.every((pointer) => pointer === '') ? '.' : ':'}
      </p>
      <ul>
        {pointers
          .filter((pointer) => pointer !== '')
          .map((pointer) => (
            <li key={pointer}>
              <code>{pointer}</code>
            </li>
          ))}
      </ul>
    </>
  );

const Item = ({ tried: { tool, verdict }, hasDocument }: { readonly tried: Tried; readonly hasDocument: boolean }) => (
  <li>
    <Mark verdict={verdict.verdict} />
    <div>
      <p>
        <a href={`../tools/${tool.id}.html#${verdict.feature}`}>
          <b>{tool.name}</b>
        </a>{' '}
        <small>
          {tool.version} · {tool.language}
        </small>
      </p>
      <p>
        <Text text={verdict.seen} />
      </p>
      <Remarks verdict={verdict} />
      <Evidence tool={tool} verdict={verdict} anchor={tool.id} hasDocument={hasDocument} />
    </div>
  </li>
);
