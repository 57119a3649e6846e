/**
 * A picture of one figure of several programs. Each kind of load has a panel with a separate linear scale from 0, a bar shows the
 * median of all rounds, and a whisker the range from the least to the greatest value. The same results give the same bytes.
 */
import type { Series } from '../requests/results.ts';
import { show } from '../requests/tables.ts';
import { createDocument, Plot, toSvg } from './svg.ts';

/** The colours of the picture. The background is transparent. */
export interface Theme {
  readonly text: string;
  readonly quietText: string;
  readonly ours: string;
  readonly peer: string;
}

/** What a picture shows. Each panel has a series for each row, or `undefined` where a program has no result. */
export interface Subject {
  readonly title: string;
  readonly subtitle: string;
  readonly rows: readonly string[];
  /** The row of Plant Store. */
  readonly ours: string;
  readonly panels: readonly Panel[];
}

export interface Panel {
  readonly title: string;
  readonly series: readonly (Series | undefined)[];
}

/** Returns an SVG document. */
export const draw = ({ title, subtitle, rows, ours, panels: all }: Subject, theme: Theme): string => {
  const panels = all.map((panel) => panel.title);
  const bars = all.flatMap(({ title, series }) => {
    const greatest = Math.max(...series.map((one) => one?.greatest ?? 0));
    return series.flatMap((one, index) => (one ? [toBar(title, rows[index] ?? '', one, greatest)] : []));
  });
  const [first] = panels;
  const labelPixels = Math.max(160, 20 + 6.5 * Math.max(...rows.map(({ length }) => length)));
  const peers = rows.filter((row) => row !== ours);
  const at = { fx: 'panel', y: 'stack' };
  const head = { fx: [first], frameAnchor: 'top-left', dx: -labelPixels } as const;
  const label = {
    fx: () => first,
    y: (row: string) => row,
    frameAnchor: 'left',
    text: (row: string) => row,
    textAnchor: 'end',
    dx: -10,
  } as const;
  const plot = Plot.plot({
    document: createDocument(),
    width: widthPixels,
    height: headPixels + rowPixels * rows.length,
    margin: 0,
    marginTop: headPixels,
    marginLeft: labelPixels,
    style: { fontFamily, color: theme.text, background: 'transparent' },
    x: { axis: null, domain: [0, 1.6] },
    y: { axis: null, domain: rows, padding: 0.5 },
    fx: { axis: null, domain: panels, padding: 0.05 },
    marks: [
      Plot.text([title], { ...head, dy: -60, fontSize: 14, fontWeight: 600 }),
      Plot.text([subtitle], { ...head, dy: -40, fill: theme.quietText }),
      Plot.text(panels, { fx: panels, frameAnchor: 'top-left', dy: -14, fill: theme.quietText }),
      Plot.text([ours], { ...label, fontWeight: 600 }),
      Plot.text(peers, label),
      Plot.barX(bars, {
        ...at,
        x: 'median',
        fill: ({ stack }: Bar) => (stack === ours ? theme.ours : theme.peer),
      }),
      Plot.ruleY(bars, { ...at, x1: 'least', x2: 'greatest', stroke: theme.text }),
      Plot.text(bars, { ...at, x: 'greatest', text: 'text', textAnchor: 'start', dx: 5 }),
    ],
  });
  return toSvg(plot, { title, description: `${subtitle} ${toSentences(panels, bars)}`, fontSizePixels });
};

const fontFamily = 'system-ui, Helvetica, Arial, sans-serif';
const fontSizePixels = 12;
const widthPixels = 800;
const headPixels = 74;
const rowPixels = 26;

/** Lengths are relative to the greatest value of the panel. */
interface Bar extends Pick<Series, 'median' | 'least' | 'greatest'> {
  readonly panel: string;
  readonly stack: string;
  readonly text: string;
}

const toBar = (panel: string, stack: string, { median, least, greatest }: Series, whole: number): Bar => ({
  panel,
  stack,
  median: median / whole,
  least: least / whole,
  greatest: greatest / whole,
  text: show(median),
});

const toSentences = (panels: readonly string[], bars: readonly Bar[]): string =>
  panels
    .map((panel) => {
      const values = bars.filter((bar) => bar.panel === panel).map(({ stack, text }) => `${stack} ${text}`);
      return `${panel}: ${values.join('; ')}.`;
    })
    .join(' ');
