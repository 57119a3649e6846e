/** What all pages share: the head, the navigation and the foot. All links are relative, so that the site works in any folder. */
import type { Child } from 'hono/jsx';
import type { MapData } from '../measure/data.ts';
import { plain } from './text.tsx';

export interface PageProps {
  readonly data: MapData;
  readonly title: string;
  readonly description: string;
  /** The path from the page to the first page: empty, or `../`. */
  readonly root: '' | '../';
  readonly section?: Section;
  readonly isWide?: boolean;
  readonly children: Child;
}

type Section = 'Map' | 'Features' | 'Tools' | 'Questions' | 'Compare' | 'Findings' | 'This month' | 'Learn' | 'How';

const sections: Readonly<Record<Section, string>> = {
  Map: 'index.html',
  Features: 'features/index.html',
  Tools: 'tools/index.html',
  Questions: 'questions/index.html',
  Compare: 'compare.html',
  Findings: 'findings/index.html',
  'This month': 'month.html',
  Learn: 'learn/index.html',
  How: 'how.html',
};

export const renderPage = (props: PageProps): string => `<!doctype html>\n${<Page {...props} />}\n`;

const Page = ({ data, title, description, root, section, isWide = false, children }: PageProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="description" content={plain(description)} />
      <title>{title === siteName ? siteName : `${plain(title)} · ${siteName}`}</title>
      <link rel="icon" href={`${root}assets/icon.svg`} />
      <link rel="stylesheet" href={`${root}assets/site.css`} />
      <link rel="alternate" type="application/atom+xml" title={siteName} href={`${root}map.atom`} />
      <script defer src={`${root}assets/site.js`} />
    </head>
    <body class={isWide ? 'wide' : undefined}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="home" href={`${root}index.html`}>
          <img src={`${root}assets/icon.svg`} alt="" width="22" height="22" />
          {siteName}
        </a>
        <nav aria-label="Site">
          {(Object.keys(sections) as Section[]).map((name) => (
            <a key={name} href={root + sections[name]} aria-current={name === section ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      </header>
      <main id="main" tabindex={-1}>
        {children}
      </main>
      <footer>
        <p>{provenance(data)}</p>
        <p>
          The same as data: <a href={`${root}data/map.json`}>map.json</a>, with its{' '}
          <a href={`${root}data/map.schema.json`}>JSON Schema</a>.{' '}
          <a href={`${root}how.html#wrong`}>Is a verdict wrong?</a>
        </p>
      </footer>
    </body>
  </html>
);

export const siteName = 'The map of OpenAPI';

const provenance = ({ date, commit, environment }: MapData): string =>
  [`Measured by Plant Store, last on ${date}`, commit && `at commit ${commit}`, environment && `on ${environment}`]
    .filter(Boolean)
    .join(', ')
    .concat('.');
