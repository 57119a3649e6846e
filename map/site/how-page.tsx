/** How a verdict is made, and what to do if one is wrong. */
import type { MapData } from '../measure/data.ts';
import { Code } from './code.tsx';
import { renderPage } from './page.tsx';

export const renderHowPage = (data: MapData, repository = ''): string =>
  renderPage({
    data,
    root: '',
    title: 'How a verdict is made',
    description: 'From a document and a question to a verdict, and what to do if one is wrong.',
    section: 'How',
    children: <Content repository={repository} />,
  });

/** The address of the repository, which a release fills in, or an empty text. */
const Content = ({ repository }: { readonly repository: string }) => (
  <>
    <h1>How a verdict is made</h1>
    <p class="lead">Nobody writes a verdict. A program asks a tool, and computes the verdict from the answers.</p>
    <h2>The document</h2>
    <p>
      Each feature has the smallest document that uses it. A test checks that it is valid by the official schema of its
      version of OpenAPI.
    </p>
    <h2>The questions</h2>
    <p>
      A tool is asked what its task is. A validator accepts or refuses a message, and the compiler a value of a
      generated type. A generated client sends a request, whose bytes are compared. A linter reports a mistake at its
      place. A tester passes a server that follows the document, and fails one that breaks it. A viewer shows a text.
    </p>
    <h2>The answers</h2>
    <p>
      An answer is right, or it is that of a tool that does not know the feature, or it is wrong. A basic question is
      one that a tool without the feature passes too.
    </p>
    <h2 id="verdicts">The verdict</h2>
    <ul>
      <li>Right: all answers about the feature are right.</li>
      <li>Partly: some are.</li>
      <li>Ignored: all are those of a tool that does not know the feature.</li>
      <li>
        Wrong: the tool reads this version of OpenAPI, and refuses the document, or generates code that does not load,
        or does something else than the document says.
      </li>
      <li>
        Refuses version: the tool refuses even the smallest document of this version, which counts once. A tool of
        OpenAPI 3.0 is asked its features with the same document as 3.0.3.
      </li>
    </ul>
    <h2 id="control">The control</h2>
    <p>
      What a tester, a mock, a validator or a generator fails counts only if it passes the same without the feature.
    </p>
    <p>A tool is wrong only where another is right, or where the specification decides. Nothing is ranked.</p>
    <h2 id="cite">To cite one</h2>
    <p>
      The page of a version of a tool, such as <code>tools/NAME@1.0.0.html#feature</code>, keeps its address.{' '}
      <a href="CITATION.cff">CITATION.cff</a> says how to cite the map. <a href="data/map.json">map.json</a> has all of
      it, and each tool has a file, a feed and badges.
    </p>
    <h2 id="wrong">Is a verdict wrong?</h2>
    <p>It may be a defect of the map. To disagree:</p>
    <ol>
      <li>
        Repeat it in a copy of{' '}
        {repository === '' ? 'the repository of Plant Store' : <a href={repository}>Plant Store</a>}, which writes a
        folder for each question:
      </li>
      <li>Say in an issue there which verdict it is, by its address, and what you expect.</li>
      <li>
        Until it is settled, your words are beside the verdict, which is called disputed. How the tool is called is in
        its adapter: a change of it is welcome.
      </li>
    </ol>
    <Code
      text={'bun run map --tool NAME --feature FEATURE --keep\nsh reports/kept/NAME/FEATURE/1-load/repeat.sh'}
      name="repeat"
      copy
    />
  </>
);
