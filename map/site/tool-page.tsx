/** A tool: what it reads, the evidence, its badges, and the texts for its tracker. */
import type { MapData, ToolData } from '../measure/data.ts';
import { AskedWith } from './asked-with.tsx';
import { badgesOf } from './badge.ts';
import { Code } from './code.tsx';
import { type FindingOptions, findingsOf } from './finding.ts';
import { Bar } from './mark.tsx';
import { renderPage } from './page.tsx';
import { count, Text } from './text.tsx';
import { Unasked, Verdicts } from './verdict-list.tsx';
import { countedOf, countsOf } from './verdicts.ts';
import { History } from './version-history.tsx';

export const renderToolPage = (tool: ToolData, data: MapData, options: FindingOptions): string =>
  renderPage({
    data,
    root: '../',
    title: tool.name,
    description: `Which features of OpenAPI 3.1 and 3.2 ${tool.name} ${tool.version} reads correctly.`,
    section: 'Tools',
    children: <Content tool={tool} data={data} options={options} />,
  });

interface ContentProps {
  readonly tool: ToolData;
  readonly data: MapData;
  readonly options: FindingOptions;
}

const Content = ({ tool, data, options }: ContentProps) => (
  <>
    <p class="above">
      {tool.kind}, {tool.language}
    </p>
    <h1>{tool.name}</h1>
    <p class="lead">
      Version {tool.version} from {tool.registry}: <code>{tool.package}</code>
      {tool.homepage !== undefined && (
        <>
          {' · '}
          <a href={tool.homepage}>home page</a>
        </>
      )}
      {tool.tracker !== undefined && (
        <>
          {' · '}
          <a href={tool.tracker}>tracker</a>
        </>
      )}
    </p>
    <Bar counts={countsOf(countedOf(tool))} />
    {tool.notes.map((note) => (
      <p key={note} class="note">
        <Text text={note} />
      </p>
    ))}
    <AskedWith tool={tool} named={options.named} />
    <h2>What it reads</h2>
    <Verdicts tool={tool} data={data} />
    <Unasked tool={tool} data={data} />
    <Unmeasured tool={tool} data={data} />
    <History tool={tool} data={data} />
    <Findings tool={tool} data={data} options={options} />
    <Badges tool={tool} data={data} options={options} />
    <h2>As data</h2>
    <p>
      <a href={`${tool.id}.json`}>{tool.id}.json</a> has all of this page, and the{' '}
      <a href="../data/map.schema.json">JSON Schema</a> of the whole map.
    </p>
  </>
);

const Unmeasured = ({ tool: { unmeasured = [] }, data }: { readonly tool: ToolData; readonly data: MapData }) => {
  const features = data.features.filter(({ id }) => unmeasured.includes(id));
  return features.length === 0 ? null : (
    <p class="note">
      Not measured yet:{' '}
      {features.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={`../features/${id}.html`}>
            <Text text={name} />
          </a>
        </span>
      ))}
      .
    </p>
  );
};

const Findings = ({ tool, data, options }: ContentProps) => {
  const findings = findingsOf(tool, data, options);
  return findings.length === 0 ? null : (
    <>
      <h2 id="findings">For its tracker</h2>
      <p>
        {count(findings.length, 'text')} in Markdown, each ready to copy. Nothing is sent from here. Look first whether
        the tracker has it already, and whether a newer version does it too.
      </p>
      {findings.map(({ path, title, text }) => (
        <details key={path} class="finding">
          <summary>
            <Text text={title} />
          </summary>
          <Code text={text} copy />
          <p>
            <a href={`../${path}`}>As a file</a>
          </p>
        </details>
      ))}
    </>
  );
};

const Badges = ({ tool, data, options: { url } }: ContentProps) => (
  <>
    <h2>Badge</h2>
    <p class="note">The badge of OpenAPI 3.1 also counts the features that OpenAPI 3.0 has already.</p>
    {badgesOf(tool, data.features).map(({ path, label, message }) => {
      const file = path.replace('tools/', '');
      return (
        <div key={path} class="badge">
          <p>
            <img src={file} alt={`${label}: ${message}`} height="20" />
          </p>
          <Code
            text={markdownOf({ label, message }, url === '' ? file : `${url}${path}`)}
            name="Markdown"
            copy
            {...(url === '' && { badge: file })}
          />
        </div>
      );
    })}
  </>
);

const markdownOf = (
  { label, message }: { readonly label: string; readonly message: string },
  address: string,
): string => `![${label}: ${message}](${address})`;
