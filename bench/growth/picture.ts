/** How the cost of each operation grows: a panel for each, with both engines, and both scales logarithmic. A flat line is the ideal. */
import type { Theme } from '../pictures/picture.ts';
import { createDocument, Plot, toSvg } from '../pictures/svg.ts';
import { show } from '../requests/tables.ts';
import { engines, type GrowthResults, type Operation } from './sizes.ts';

const drawn: readonly Operation[] = [
  'get',
  'create',
  'list, first',
  'list, last',
  'rare tag',
  'prune',
  'import',
  'start',
];

const drawnAs = [
  'get one',
  'create',
  'first page',
  'last page',
  'a tag of one plant',
  'prune an event',
  'import a plant',
  'start',
];

/** Returns an SVG document. The same results give the same bytes. */
export const drawGrowth = ({ growths }: GrowthResults, theme: Theme): string => {
  const points = growths.flatMap(({ engine, plants, service }) =>
    drawn.map((operation, index) => {
      const value = service[operation] ?? Number.NaN;
      const smallest = growths.find((growth) => growth.engine === engine)?.service[operation] ?? Number.NaN;
      const place = { fx: index % columns, fy: Math.floor(index / columns) };
      return { engine, plants, ...place, operation, value, times: value / smallest };
    }),
  );
  const titles = drawn.map((operation, index) => ({
    fx: index % columns,
    fy: Math.floor(index / columns),
    text: drawnAs[index] ?? operation,
  }));
  const sizes = [...new Set(growths.map(({ plants }) => plants))];
  const subtitle = `CPU time at ${sizes.map(toPower).join(', ')} plants, as a multiple of that at ${toPower(sizes[0] ?? 0)}. Flat is best.`;
  const plot = Plot.plot({
    document: createDocument(),
    width: 800,
    height: 330,
    marginTop: 64,
    marginLeft: 40,
    marginRight: 20,
    style: { fontFamily: 'system-ui, Helvetica, Arial, sans-serif', color: theme.text, background: 'transparent' },
    x: { type: 'log', ticks: sizes, tickFormat: toPower, label: null },
    y: {
      type: 'log',
      domain: [0.2, 10],
      ticks: [0.2, 0.5, 1, 2, 5],
      tickFormat: (times: number) => `×${times}`,
      label: null,
    },
    fx: { axis: null, padding: 0.2 },
    fy: { axis: null, padding: 0.28 },
    marks: [
      Plot.text([title], {
        fx: [0],
        fy: [0],
        frameAnchor: 'top-left',
        dx: -40,
        dy: -56,
        fontSize: 14,
        fontWeight: 600,
      }),
      Plot.text([subtitle], { fx: [0], fy: [0], frameAnchor: 'top-left', dx: -40, dy: -36, fill: theme.quietText }),
      Plot.text(titles, { fx: 'fx', fy: 'fy', text: 'text', frameAnchor: 'top-left', dy: -14 }),
      Plot.ruleY([1], { stroke: theme.quietText, strokeDasharray: '2,3' }),
      Plot.lineY(points, {
        fx: 'fx',
        fy: 'fy',
        x: 'plants',
        y: 'times',
        z: 'engine',
        stroke: colorOf(theme),
        strokeWidth: 2,
      }),
      Plot.dot(points, { fx: 'fx', fy: 'fy', x: 'plants', y: 'times', fill: colorOf(theme), r: 3 }),
      ...engines.map((engine, index) =>
        Plot.text([engine], {
          fx: [columns - 1],
          fy: [0],
          frameAnchor: 'top-right',
          dx: -90 * (1 - index),
          dy: -56,
          fill: colorOf(theme)({ engine }),
          fontWeight: 600,
        }),
      ),
    ],
  });
  const description = points.map(
    ({ engine, plants, operation, value }) => `${operation}, ${engine}, ${toPower(plants)}: ${show(value)}.`,
  );
  return toSvg(plot, { title, description: `${subtitle} ${description.join(' ')}`, fontSizePixels: 12 });
};

interface Point {
  readonly engine: string;
}

const columns = 4;
const title = 'How the cost of an operation grows';
const colorOf =
  (theme: Theme) =>
  ({ engine }: Point): string =>
    engine === 'SQLite' ? theme.ours : theme.quietText;
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const toPower = (plants: number): string => `10${superscripts[Math.round(Math.log10(plants))]}`;
