/** The first page: the matrix of all verdicts, and its filters. */
import type { MapData } from '../measure/data.ts';
import { Filters } from './filters.tsx';
import { Mark } from './mark.tsx';
import { Matrix } from './matrix.tsx';
import { renderPage, siteName } from './page.tsx';
import { countsOf, meanings, verdicts } from './verdicts.ts';

export const renderMatrixPage = (data: MapData): string =>
  renderPage({
    data,
    root: '',
    title: siteName,
    description: 'Which tools read which feature of OpenAPI 3.1 and 3.2 correctly, by measurement.',
    section: 'Map',
    isWide: true,
    children: <Content data={data} />,
  });

const Content = ({ data }: { readonly data: MapData }) => {
  const counts = countsOf(data.tools.flatMap((tool) => tool.verdicts));
  return (
    <>
      <div class="intro">
        <h1>Which tools read OpenAPI 3.1 and 3.2 correctly?</h1>
        <p class="lead">
          {data.tools.length} tools, {data.features.length} features, and one small document for each question. A
          verdict says what a tool did with it, and links to the evidence.
        </p>
      </div>
      <ul class="legend" aria-label="Verdicts">
        {verdicts.map((verdict) => (
          <li key={verdict} class={verdict}>
            <b class="count">{counts[verdict]}</b>
            <Mark verdict={verdict} />
            <span class="meaning">{meanings[verdict]}</span>
          </li>
        ))}
      </ul>
      <Filters data={data} />
      <Matrix data={data} />
      <p class="note">
        An empty cell: the tool does nothing that the feature concerns.
        <span class="keys" hidden>
          {' '}
          Arrow keys move from cell to cell.
        </span>
      </p>
      <Method />
    </>
  );
};

const Method = () => (
  <div class="method">
    <section>
      <h2>How a verdict is made</h2>
      <p>
        Each feature has a document that uses it and little else, and is valid by the official schema of its version of
        OpenAPI. A tool is asked what its task is: a validator accepts and rejects requests, a generated client sends
        and reads exact bytes, a linter reports mistakes and nothing else. Its verdict is computed from the answers.
      </p>
    </section>
    <section>
      <h2>When a verdict counts</h2>
      <p>
        A tool is called wrong only where another tool answers the same question right, or where the specification says
        what is right. The evidence has the command, the input, and the line of output that decides, so that anybody can
        repeat it. Each verdict is about one version of the tool.
      </p>
    </section>
    <section>
      <h2>What is missing</h2>
      <p>
        A tool is one file of about 40 lines in <code>map/adapters/</code> of Plant Store, and a feature is one folder
        in <code>map/cases/</code>. <code>map/README.md</code> explains both.
      </p>
    </section>
  </div>
);
