/** Observable Plot outside a browser, and its plots as files. */
import { parseHTML } from 'linkedom';

// Plot looks at globals, and moves lines by half a pixel if the screen is coarse. The picture must not depend on the importing program.
const screen = { window: { devicePixelRatio: 2 } };
Object.assign(globalThis, screen);
export const Plot = await import('@observablehq/plot');
for (const name of Object.keys(screen)) Reflect.deleteProperty(globalThis, name);

export const createDocument = () => parseHTML('<html></html>').document;

interface Texts {
  readonly title: string;
  /** For readers who do not see the picture. */
  readonly description: string;
  readonly fontSizePixels: number;
}

export const toSvg = (plot: ReturnType<typeof Plot.plot>, { title, description, fontSizePixels }: Texts): string => {
  // The style is meant for figures in an HTML page.
  plot.querySelector('style')?.remove();
  plot.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  plot.setAttribute('role', 'img');
  plot.setAttribute('font-size', `${fontSizePixels}`);
  for (const [tag, text] of [
    ['desc', description],
    ['title', title],
  ] as const) {
    const element = plot.ownerDocument.createElementNS('http://www.w3.org/2000/svg', tag);
    element.textContent = text;
    plot.prepend(element);
  }
  return `${plot.outerHTML}\n`;
};
