/** All findings, by tool. */
import type { MapData } from '../measure/data.ts';
import { type FindingOptions, findingsOf } from './finding.ts';
import { groupsOf } from './kinds.ts';
import { renderPage } from './page.tsx';
import { Text } from './text.tsx';

export const renderFindingsPage = (data: MapData, options: FindingOptions): string =>
  renderPage({
    data,
    root: '../',
    title: 'Findings',
    description: 'For each wrong verdict, a text for the tracker of the tool.',
    section: 'Findings',
    children: <Content data={data} options={options} />,
  });

const Content = ({ data, options }: { readonly data: MapData; readonly options: FindingOptions }) => {
  const tools = groupsOf(data.tools).flatMap((group) => group.tools);
  const withFindings = tools
    .map((tool) => ({ tool, findings: findingsOf(tool, data, options) }))
    .filter(({ findings }) => findings.length > 0);
  return (
    <>
      <h1>Findings to hand over</h1>
      <p class="lead">
        For each wrong verdict, a text in Markdown with the document, the steps, and the expected and the observed
        result. Nothing is sent from here: the authors of a tool, or its users, take what is useful to them.
      </p>
      {withFindings.map(({ tool, findings }) => (
        <section key={tool.id}>
          <h2>
            <a href={`../tools/${tool.id}.html#findings`}>{tool.name}</a> <small>{tool.version}</small>
          </h2>
          <ul class="plain">
            {findings.map(({ path, title }) => (
              <li key={path}>
                <a href={path.replace('findings/', '')}>
                  <Text text={title} />
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
};
