/** The history of a tool: what changed from one version to the next, and a page for each version, whose address stays. */
import type { MapData, ToolData } from '../measure/data.ts';
import { type Change, isRepaired, type Step, stepsOf } from '../measure/history.ts';
import { versionPathOf } from './evidence.tsx';
import { Bar } from './mark.tsx';
import { renderPage } from './page.tsx';
import { Text } from './text.tsx';
import { Unasked, Verdicts } from './verdict-list.tsx';
import { countedOf, countsOf, words } from './verdicts.ts';

export const History = ({ tool, data }: { readonly tool: ToolData; readonly data: MapData }) => (
  <>
    <h2 id="history">History</h2>
    {tool.earlier.length === 0 && <p>No earlier version was measured.</p>}
    {stepsOf([tool, ...tool.earlier]).map((step) => (
      <section key={step.to}>
        <h3>
          From <a href={`../${versionPathOf({ id: tool.id, version: step.from })}`}>{step.from}</a> to {step.to}
        </h3>
        <Changes step={step} data={data} tool={tool} />
      </section>
    ))}
    <p>
      <a href={`../${versionPathOf(tool)}`}>The page of version {tool.version}</a> keeps its address when a newer one is
      measured. <a href={`${tool.id}.atom`}>{tool.id}.atom</a> tells what changes, and{' '}
      <a href="../map.atom">map.atom</a> what changes in any tool.
    </p>
  </>
);

interface ChangesProps {
  readonly step: Step;
  readonly data: MapData;
  readonly tool: Pick<ToolData, 'id' | 'version'>;
  /** The path from the page to the first page. */
  readonly root?: string;
}

/** What the version repaired comes first. */
export const Changes = ({ step: { to, changes, asked }, data, tool, root = '../' }: ChangesProps) => {
  const listed = (given: readonly Change[]) => (
    <ul class="plain">
      {given.map(({ feature, from, to: now }) => (
        <li key={feature}>
          <a href={`${root}${versionPathOf(tool)}#${feature}`}>
            <Text text={data.features.find(({ id }) => id === feature)?.name ?? feature} />
          </a>
          : {words[from]} → {words[now]}
        </li>
      ))}
    </ul>
  );
  const [repaired, others] = [changes.filter(isRepaired), changes.filter((change) => !isRepaired(change))];
  return (
    <>
      {changes.length === 0 && <p>No verdict of {asked} changed.</p>}
      {repaired.length > 0 && (
        <>
          <p>Repaired in {to}:</p>
          {listed(repaired)}
        </>
      )}
      {others.length > 0 && (
        <>
          <p>Other changes in {to}:</p>
          {listed(others)}
        </>
      )}
    </>
  );
};

/** A page for each version that was measured, the newest one included. */
export const renderVersionPages = (tool: ToolData, data: MapData): [path: string, page: string][] =>
  [tool, ...tool.earlier].map(({ version, verdicts }) => {
    const measured = { ...tool, version, verdicts };
    return [
      versionPathOf(measured),
      renderPage({
        data,
        root: '../',
        title: `${tool.name} ${version}`,
        description: `Which features of OpenAPI 3.1 and 3.2 ${tool.name} ${version} reads correctly.`,
        section: 'Tools',
        children: (
          <>
            <p class="above">
              <a href={`${tool.id}.html`}>{tool.name}</a>
            </p>
            <h1>
              {tool.name} {version}
            </h1>
            <Bar counts={countsOf(countedOf(measured))} />
            <h2>What it reads</h2>
            <Verdicts tool={measured} data={data} />
            {version === tool.version && <Unasked tool={measured} data={data} />}
          </>
        ),
      }),
    ];
  });
