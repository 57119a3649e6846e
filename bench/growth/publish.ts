/** Writes the pictures of docs/performance.md and the table of bench/README.md from `results.json`, without measuring. */
import { join } from 'node:path';
import { replaceSections, themes } from '../pictures/plot.ts';
import { show } from '../requests/tables.ts';
import { toTable } from '../support/measure.ts';
import { drawGrowth } from './picture.ts';
import { engines, type Growth, type GrowthResults, operations, operationsWithPictures } from './sizes.ts';

/** The files that are generated from the results, by their paths from the root, and their texts. */
export const toGrowthDocuments = (results: GrowthResults, page: string): ReadonlyMap<string, string> =>
  new Map([
    [
      'bench/README.md',
      replaceSections(
        page,
        new Map([
          ['growth', toGrowthTable(results)],
          ['growth with pictures', toTableWithPictures(results)],
        ]),
      ),
    ],
    ...Object.entries(themes).map(([name, theme]): [string, string] => [
      `docs/growth-${name}.svg`,
      drawGrowth(results, theme),
    ]),
  ]);

export const root = join(import.meta.dir, '../..');

export const readGrowth = (): Promise<GrowthResults> => Bun.file(join(import.meta.dir, 'results.json')).json();

export const publishGrowth = async (): Promise<void> => {
  const page = await Bun.file(join(root, 'bench/README.md')).text();
  for (const [name, text] of toGrowthDocuments(await readGrowth(), page)) await Bun.write(join(root, name), text);
};

/** The columns `alone` are those of the database without the service. */
const toGrowthTable = ({ growths }: GrowthResults): string =>
  toTableOf(operations, growths, ['service', 'bare'], 'alone');

const toTableWithPictures = ({ pictures }: GrowthResults): string =>
  toTableOf(operationsWithPictures, pictures, ['with', 'without'], 'without pictures');

/** Each cell has the figures of all sizes. There are two columns for each engine, of which the second has this title. */
const toTableOf = <Key extends string, Part extends string>(
  titles: Readonly<Record<Key, string>>,
  growths: readonly (Pick<Growth, 'engine' | 'plants'> & Readonly<Record<Part, Partial<Record<Key, number>>>>)[],
  parts: readonly [Part, Part],
  title: string,
): string => {
  const rows = (Object.keys(titles) as Key[]).map((operation) => [
    titles[operation],
    ...engines.flatMap((engine) =>
      parts.map((part) =>
        toSeriesText(growths.filter((growth) => growth.engine === engine).map((growth) => growth[part][operation])),
      ),
    ),
  ]);
  const sizes = [...new Set(growths.map(({ plants }) => plants))].map((plants) => `10^${Math.log10(plants)}`);
  return toTable([sizes.join(' → '), ...engines.flatMap((engine) => [engine, title])], rows);
};

const toSeriesText = (values: readonly (number | undefined)[]): string =>
  values.every((value) => value === undefined)
    ? ''
    : values.map((value) => (value === undefined ? '–' : show(value))).join(' → ');
