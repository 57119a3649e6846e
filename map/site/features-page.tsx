/** The list of features, with the numbers of their verdicts. */
import type { MapData } from '../measure/data.ts';
import { Bar } from './mark.tsx';
import { renderPage } from './page.tsx';
import { Text } from './text.tsx';
import { countsOf, triedOn } from './verdicts.ts';
import { byVersion } from './versions.ts';

export const renderFeaturesPage = (data: MapData): string =>
  renderPage({
    data,
    root: '../',
    title: 'Features',
    description: 'The features of OpenAPI 3.1 and 3.2, and how many tools read each correctly.',
    section: 'Features',
    children: <Content data={data} />,
  });

const Content = ({ data }: { readonly data: MapData }) => (
  <>
    <h1>Features</h1>
    <p class="lead">What a document can say, and how many tools understand it.</p>
    {byVersion(data.features).map(({ version, features }) => (
      <section key={version}>
        <h2>OpenAPI {version}</h2>
        <ul class="rows">
          {features.map(({ id, name, meaning }) => (
            <li key={id}>
              <div>
                <a href={`${id}.html`}>
                  <Text text={name} />
                </a>
                <p>
                  <Text text={meaning} />
                </p>
              </div>
              <Bar counts={countsOf(triedOn(id, data).map(({ verdict }) => verdict))} />
            </li>
          ))}
        </ul>
      </section>
    ))}
  </>
);
