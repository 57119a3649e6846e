/**
 * A picture of one figure of several programs. Each kind of load has a panel with a separate linear scale from 0, a bar shows the
 * median of all rounds, and a whisker the range from the least to the greatest value. The same results give the same bytes.
 */
import { parseHTML } from 'linkedom';
import type { Series } from '../requests/results.ts';
import { show } from '../requests/tables.ts';

// Plot looks at globals, and moves lines by half a pixel if the screen is coarse. The picture must not depend on the importing program.
const screen = { window: { devicePixelRatio: 2 } };
Object.assign(globalThis, screen);
const Plot = await import('@observablehq/plot');
for (const name of Object.keys(screen)) Reflect.deleteProperty(globalThis, name);

/** The colours of the picture. The background is transparent. */
export interface Theme {
  readonly text: string;
  readonly quietText: string;
  readonly ours: string;
  readonly peer: string;
}

/** What a picture shows. Each panel has a series for each row. */
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
  readonly series: readonly Series[];
}

/** Returns an SVG document. */
export const draw = ({ title, subtitle, rows, ours, panels: all }: Subject, theme: Theme): string => {
  const panels = all.map((panel) => panel.title);
  const bars = all.flatMap(({ title, series }) => {
    const greatest = Math.max(...series.map((one) => one.greatest));
    return series.map((one, index) => toBar(title, rows[index] ?? '', one, greatest));
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
  const { document } = parseHTML('<html></html>');
  const plot = Plot.plot({
    document,
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
  // The style is meant for figures in an HTML page.
  plot.querySelector('style')?.remove();
  plot.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  plot.setAttribute('role', 'img');
  plot.setAttribute('font-size', `${fontSizePixels}`);
  for (const [tag, text] of [
    ['desc', `${subtitle} ${toSentences(panels, bars)}`],
    ['title', title],
  ] as const) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    element.textContent = text;
    plot.prepend(element);
  }
  return `${plot.outerHTML}\n`;
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
