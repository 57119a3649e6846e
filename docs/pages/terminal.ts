/** docs/terminal.svg, a picture of the commands of the README and their output. A test runs them and compares the output. */
import { join } from 'node:path';
import { type Step, stepsOf } from './session.ts';

export const renderTerminal = async (): Promise<string> => {
  const steps = stepsOf(await Bun.file(join(import.meta.dir, '../../README.md')).text());
  const lines = steps.flatMap((step, index) => [
    ...(step.terminal === steps[index - 1]?.terminal ? [] : [{ style: 'title', text: `Terminal ${step.terminal}` }]),
    ...linesOf(step),
  ]);
  const height = lines.length * linePx + 2 * marginPx;
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${widthPx} ${height}" width="${widthPx}" height="${height}">
<title>Plant Store in two terminals</title>
<style>
rect { fill: #f6f8fa; stroke: #d1d9e0 }
text { font: 12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #59636e }
.commands { fill: #1f2328 }
.title { fill: #1a7f37; font-weight: 600 }
@media (prefers-color-scheme: dark) {
  rect { fill: #151b23; stroke: #3d444d }
  text { fill: #9198a1 }
  .commands { fill: #f0f6fc }
  .title { fill: #3fb950 }
}
</style>
<rect x="0.5" y="0.5" width="${widthPx - 1}" height="${height - 1}" rx="8"/>
${lines.map((line, index) => drawLine(line, marginPx + (index + 1) * linePx - 5)).join('\n')}
</svg>
`;
};

interface Line {
  readonly style: string;
  readonly text: string;
}

const columns = 108;
const columnPx = 7.2;
const linePx = 17;
const marginPx = 14;
const widthPx = Math.ceil(columns * columnPx) + 2 * marginPx;

/** Commands after a prompt, and output in lines as wide as the terminal. */
const linesOf = ({ kind, text }: Step): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line, index, all) => {
      if (kind === 'output') return wrap(line.replaceAll('\t', '  '));
      return [`${all[index - 1]?.endsWith('\\') ? '>' : '$'} ${line}`];
    })
    .map((line) => ({ style: kind, text: line }));

const wrap = (line: string): string[] => line.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [];

/** The length keeps the columns the same in every font. SVG joins spaces, but not those that keep words together. */
const drawLine = ({ style, text }: Line, y: number): string => {
  const length = Math.round(text.length * columnPx * 10) / 10;
  const shown = Bun.escapeHTML(text).replaceAll('  ', '\u00a0\u00a0');
  return `<text class="${style}" x="${marginPx}" y="${y}" textLength="${length}">${shown}</text>`;
};
