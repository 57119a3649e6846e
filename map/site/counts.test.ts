/** What the pages count and in which order: a refused version once, misreadings first, and names without a ranking. */
import { expect, test } from 'bun:test';
import { readMapData, type ToolData } from '../measure/data.ts';
import { filesOf } from './site.ts';
import { byName, countedOf, signs } from './verdicts.ts';

const data = await readMapData();
const files = await filesOf(data);

const textOf = (path: string): string => `${files.get(path)}`;
const plainOf = (path: string): string => textOf(path).replaceAll(/<[^>]+>/g, ' ');

const counted = data.tools.flatMap(countedOf);

test('the first page says first how many misreadings remain, and what else is wrong apart from them', () => {
  const countOf = (wanted: string): number => counted.filter(({ cause }) => cause === wanted).length;
  const page = plainOf('index.html').replaceAll(/\s+/g, ' ');
  const [misread, refused, unloaded] = ['misread', 'refused', 'does not load'].map(countOf);
  expect(misread).toBeGreaterThan(0);
  const places = [
    `${misread} misreadings remain`,
    `${refused} valid documents are refused`,
    `${unloaded} generated programs do not load`,
    `${signs.right} right`,
  ].map((text) => page.indexOf(text));
  expect(places[0]).toBeGreaterThan(0);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('a version that a tool refuses has a mark of its own, and counts once, whatever features it has', () => {
  const refusing = data.tools.filter(({ verdicts }) => verdicts.some(({ verdict }) => verdict === 'version'));
  expect(refusing.length).toBeGreaterThan(10);
  for (const tool of refusing) {
    const refused = tool.verdicts.filter(({ verdict }) => verdict === 'version');
    const once = countedOf(tool).filter(({ verdict }) => verdict === 'version');
    expect([tool.id, once.length]).toEqual([tool.id, new Set(refused.map(({ openapi }) => openapi)).size]);
    expect(textOf(`tools/${tool.id}.html`)).toContain(signs.version);
  }
});

test('a tool that reads only OpenAPI 3.0 is asked the features of 3.0 with a document of 3.0', () => {
  const [only30] = data.tools.filter(({ id }) => id === 'connexion');
  const asked = data.features.filter(({ since }) => since === '3.0').map(({ id }) => id);
  const answers = (only30?.verdicts ?? []).filter(({ feature }) => asked.includes(feature));
  expect(answers.length).toBeGreaterThan(5);
  expect(answers.map(({ openapi }) => openapi).filter((openapi) => openapi !== '3.0')).toEqual([]);
});

test('the page of each kind has its tools and no others, by name', () => {
  for (const [kind, tools = []] of Object.entries(Object.groupBy(data.tools, (tool: ToolData) => tool.kind))) {
    const shown = [...textOf(`kinds/${kind}.html`).matchAll(/<tr data-language[^>]*>[\s\S]*?<a [^>]*>([^<]+)<\/a>/g)];
    expect([kind, shown.map(([, name = '']) => name.replaceAll('&#39;', "'"))]).toEqual([
      kind,
      tools.toSorted(byName).map(({ name }) => name),
    ]);
  }
});

test('a feature that the service does not use says so, and no other does', () => {
  const isSaid = (id: string): boolean => plainOf(`features/${id}.html`).includes('Plant Store does not use it');
  const unused = data.features.filter(({ use }) => use.document === '').map(({ id }) => id);
  expect(unused.length).toBeGreaterThanOrEqual(8);
  expect(data.features.map(({ id }) => id).filter(isSaid)).toEqual(unused);
});
