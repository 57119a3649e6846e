/** The list of tools, with the numbers of their verdicts. */
import type { MapData } from '../measure/data.ts';
import { groupsOf } from './kinds.ts';
import { Bar } from './mark.tsx';
import { renderPage } from './page.tsx';
import { countedOf, countsOf } from './verdicts.ts';

export const renderToolsPage = (data: MapData): string =>
  renderPage({
    data,
    root: '../',
    title: 'Tools',
    description: 'The tools of the map, and how many features of OpenAPI each reads correctly.',
    section: 'Tools',
    children: <Content data={data} />,
  });

const Content = ({ data }: { readonly data: MapData }) => (
  <>
    <h1>Tools</h1>
    <p class="lead">Each in one version, which its page names. A tool is not asked for what is not its task.</p>
    {groupsOf(data.tools).map(({ kind, name, tools }) => (
      <section key={kind}>
        <h2 id={kind}>{name}</h2>
        <ul class="rows">
          {tools.map((tool) => (
            <li key={tool.id}>
              <div>
                <a href={`${tool.id}.html`}>{tool.name}</a>
                <p>
                  {tool.version} · {tool.language}
                </p>
              </div>
              <Bar counts={countsOf(countedOf(tool))} />
            </li>
          ))}
        </ul>
      </section>
    ))}
  </>
);
