/** The first page: what is counted, the kinds of tools, and how many tools of each read a feature correctly. */
import type { Cause, MapData, VerdictData } from '../measure/data.ts';
import { Mark } from './mark.tsx';
import { Kinds, Overview } from './overview.tsx';
import { renderPage, siteName } from './page.tsx';
import { count } from './text.tsx';
import { countedOf, countsOf, meanings, verdicts } from './verdicts.ts';

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
  const counted = data.tools.flatMap(countedOf);
  const counts = countsOf(counted);
  return (
    <>
      <div class="intro">
        <h1>Which tools read OpenAPI 3.1 and 3.2 correctly?</h1>
        <p class="lead">
          {data.tools.length} tools, {data.features.length} features, and one small document for each question. A
          verdict says what a tool did with it, and links to the evidence.
        </p>
        <Wrong verdicts={counted} />
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
      <Kinds data={data} />
      <Overview data={data} />
      <Method />
    </>
  );
};

/** The worst first, and each kind of failure by itself. */
const Wrong = ({ verdicts }: { readonly verdicts: readonly VerdictData[] }) => {
  const countOf = (cause: Cause): number => verdicts.filter((one) => one.cause === cause).length;
  return (
    <p>
      <b>{count(countOf('misread'), 'misreading')}</b> remain: the tool reads the document, and does something else.{' '}
      {count(countOf('refused'), 'valid document')} are refused by a tool that reads the version, and{' '}
      {count(countOf('does not load'), 'generated program')} do not load. {count(countsOf(verdicts).version, 'time')}, a
      tool refuses a whole version of OpenAPI.
    </p>
  );
};

const Method = () => (
  <div class="method">
    <section>
      <h2>How a verdict is made</h2>
      <p>
        A program asks a tool what its task is, and computes the verdict from the answers. A tool is called wrong only
        where another tool gives the right answer, or where the specification decides. <a href="how.html">All of it</a>
      </p>
    </section>
    <section>
      <h2>Is a verdict wrong?</h2>
      <p>
        The evidence has the command, the input, and the line of output that decides, and a command that writes a folder
        in which it is repeated. <a href="how.html#wrong">Where to say so</a>
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
