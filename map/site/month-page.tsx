/** The versions that were first measured in the month of the map, with what each repaired. */
import type { MapData } from '../measure/data.ts';
import { isRepaired } from '../measure/history.ts';
import { renderPage } from './page.tsx';
import { type Release, releasesOf } from './releases.ts';
import { count } from './text.tsx';
import { Changes } from './version-history.tsx';

export const renderMonthPage = (data: MapData): string =>
  renderPage({
    data,
    root: '',
    title: 'This month',
    description: 'Which new versions of tools read features of OpenAPI that the versions before did not.',
    section: 'This month',
    children: <Content data={data} />,
  });

const Content = ({ data }: { readonly data: MapData }) => {
  const month = data.date.slice(0, 7);
  const all = releasesOf(data).filter(({ since }) => since.startsWith(month));
  const compared = all.flatMap(({ tool, step }) => (step === undefined ? [] : [{ tool, step }]));
  const changed = compared.filter(({ step }) => step.changes.length > 0);
  const unchanged = compared.filter(({ step }) => step.changes.length === 0);
  const repaired = changed.flatMap(({ step }) => step.changes.filter(isRepaired));
  return (
    <>
      <h1>This month</h1>
      <p class="lead">
        In {month}, {count(compared.length, 'version')} of tools {compared.length === 1 ? 'was' : 'were'} compared with
        the version before. {count(repaired.length, 'verdict')} became right. <a href="map.atom">map.atom</a> is the
        feed of all tools.
      </p>
      {changed.map(({ tool, step }) => (
        <section key={tool.id}>
          <h2>
            <a href={`tools/${tool.id}.html#history`}>{tool.name}</a>{' '}
            <small>
              {step.from} → {step.to}
            </small>
          </h2>
          <Changes step={step} data={data} tool={tool} root="" />
        </section>
      ))}
      <Unchanged releases={unchanged} />
    </>
  );
};

const Unchanged = ({ releases }: { readonly releases: readonly Pick<Release, 'tool' | 'step'>[] }) =>
  releases.length === 0 ? null : (
    <section>
      <h2 id="unchanged">No verdict changed</h2>
      <ul class="plain">
        {releases.map(({ tool, step }) => (
          <li key={tool.id}>
            <a href={`tools/${tool.id}.html#history`}>{tool.name}</a> {step?.from} → {step?.to}
          </li>
        ))}
      </ul>
    </section>
  );
