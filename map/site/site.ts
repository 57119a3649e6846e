/** All files of the site, made from the data of the map: pages, data, badges, findings and assets. */
import { join } from 'node:path';
import type { MapData, ToolData } from '../measure/data.ts';
import type { NamedFiles } from '../measure/files.ts';
import { assetFiles } from './assets.ts';
import { renderAtom, renderWholeAtom } from './atom.ts';
import { badgesOf, renderBadge } from './badge.ts';
import { renderComparePages } from './compare-page.tsx';
import { renderFeaturePage } from './feature-page.tsx';
import { renderFeaturesPage } from './features-page.tsx';
import { type FindingOptions, findingsOf } from './finding.ts';
import { renderFindingsPage } from './findings-page.tsx';
import { renderHowPage } from './how-page.tsx';
import { renderKindPages } from './kind-page.tsx';
import { renderLessonPage } from './lesson-page.tsx';
import { documentFiles, readLessons } from './lessons.ts';
import { renderMatrixPage } from './matrix-page.tsx';
import { renderMonthPage } from './month-page.tsx';
import { renderQuestionPages } from './question-page.tsx';
import { renderToolPage } from './tool-page.tsx';
import { renderToolsPage } from './tools-page.tsx';
import { renderVersionPages } from './version-history.tsx';

/** The files by their paths in the folder of the site. */
export type Files = ReadonlyMap<string, string | Uint8Array<ArrayBuffer>>;

export interface SiteOptions {
  /** What commands name, by path. */
  readonly named?: NamedFiles;
  /** The address of the site, with a slash at the end. Without it, links in badges and feeds are relative. */
  readonly url?: string;
  /** The address of the repository, where a reader disagrees. */
  readonly repository?: string;
}

export const filesOf = async (
  data: MapData,
  { named = new Map(), url = '', repository = '' }: SiteOptions = {},
): Promise<Files> =>
  new Map<string, string | Uint8Array<ArrayBuffer>>([
    ['index.html', renderMatrixPage(data)],
    ...renderKindPages(data),
    ['features/index.html', renderFeaturesPage(data)],
    ['tools/index.html', renderToolsPage(data)],
    ['findings/index.html', renderFindingsPage(data, { named, url })],
    ['data/map.json', jsonOf(data, '')],
    ['data/map.schema.json', await Bun.file(join(import.meta.dir, 'map.schema.json')).text()],
    ...data.features.flatMap((feature): [string, string][] => [
      [`features/${feature.id}.html`, renderFeaturePage(feature, data)],
      ...(feature.document === ''
        ? []
        : [[`features/${feature.id}.yaml`, feature.document] satisfies [string, string]]),
    ]),
    ...data.tools.flatMap((tool) => filesOfTool(tool, data, { named, url })),
    ['how.html', renderHowPage(data, repository)],
    ['month.html', renderMonthPage(data)],
    ['map.atom', renderWholeAtom(data, url)],
    ['CITATION.cff', await Bun.file(join(import.meta.dir, '../CITATION.cff')).text()],
    ...renderComparePages(data),
    ...renderQuestionPages(data),
    ...named,
    ...(await lessonFiles(data)),
    ...(await assetFiles()),
  ]);

/** The course, with the documents that it shows. */
const lessonFiles = async (data: MapData): Promise<[string, string][]> => {
  const lessons = await readLessons();
  return [
    ...lessons.map((lesson): [string, string] => [`learn/${lesson.id}.html`, renderLessonPage(lesson, lessons, data)]),
    ...(await documentFiles()),
  ];
};

const filesOfTool = (tool: ToolData, data: MapData, options: FindingOptions): [string, string][] => [
  [`tools/${tool.id}.html`, renderToolPage(tool, data, options)],
  [`tools/${tool.id}.atom`, renderAtom(tool, data, options.url)],
  ...renderVersionPages(tool, data),
  [`tools/${tool.id}.json`, jsonOf(onlyWith(tool, data), '../data/')],
  ...badgesOf(tool, data.features).map((badge): [string, string] => [badge.path, renderBadge(badge)]),
  ...findingsOf(tool, data, options).map(({ path, text }): [string, string] => [path, text]),
];

/** The map with one tool, and the features that it was tried on. */
const onlyWith = (tool: ToolData, data: MapData): MapData => ({
  ...data,
  features: data.features.filter(({ id }) =>
    [...tool.verdicts, ...(tool.unasked ?? [])].some(({ feature }) => feature === id),
  ),
  tools: [tool],
});

const jsonOf = (data: MapData, folder: string): string =>
  `${JSON.stringify({ $schema: `${folder}map.schema.json`, ...data }, null, 2)}\n`;
