/** Writes the pictures of docs/performance.md and the table of bench/README.md from `results.json`, without measuring. */
import { join } from 'node:path';
import { replaceSections, themes } from '../pictures/plot.ts';
import { show } from '../requests/tables.ts';
import { toTable } from '../support/measure.ts';
import { drawGrowth } from './picture.ts';
import { engines, type Growth, type GrowthResults, type Operation, operations } from './sizes.ts';

/** The files that are generated from the results, by their paths from the root, and their texts. */
export const toGrowthDocuments = (results: GrowthResults, page: string): ReadonlyMap<string, string> =>
  new Map([
    ['bench/README.md', replaceSections(page, new Map([['growth', toGrowthTable(results)]]))],
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

/** Each cell has the figures of all sizes. The columns `alone` are those of the database without the service. */
const toGrowthTable = ({ growths }: GrowthResults): string => {
  const rows = Object.entries(operations).map(([operation, title]) => [
    title,
    ...engines.flatMap((engine) =>
      (['service', 'bare'] as const).map((part) => toSeriesText(growths, engine, part, operation as Operation)),
    ),
  ]);
  const sizes = [...new Set(growths.map(({ plants }) => plants))].map((plants) => `10^${Math.log10(plants)}`);
  return toTable([sizes.join(' → '), ...engines.flatMap((engine) => [engine, 'alone'])], rows);
};

const toSeriesText = (
  growths: readonly Growth[],
  engine: string,
  part: 'service' | 'bare',
  operation: Operation,
): string => {
  const values = growths.filter((growth) => growth.engine === engine).map((growth) => growth[part][operation]);
  return values.every((value) => value === undefined)
    ? ''
    : values.map((value) => (value === undefined ? '–' : show(value))).join(' → ');
};
