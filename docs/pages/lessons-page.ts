/**
 * All pages of docs/learn/ as one page in HTML, which the service has at `/lessons`, with its script and documents. Its links are relative, for
 * a proxy with a prefix.
 */
import { join } from 'node:path';
import { lessons } from './lessons.ts';

const files = ['README.md', ...lessons.map(({ file }) => file), 'from-3.0.md', 'teachers.md', 'compare.md'];

/** `bun run generate` writes the pages of docs/learn/ before this one. */
export const renderLessonsPage = async (): Promise<string> => {
  const style = (await read('src/pages/colors.css')) + (await read('docs/pages/lessons.css'));
  const sections = await Promise.all(files.map(async (file) => toSection(file, await read(`docs/learn/${file}`))));
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, '../../console/lessons/main.ts')],
    format: 'iife',
    target: 'browser',
    minify: true,
  });
  const script = await outputs[0]?.text();
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Lessons · Plant Store</title>
    <link rel="icon" href="data:,">
    <style>${style}</style>
    <script src="lessons-assets/lessons.js" defer></script>
  </head>
  <body>
    <nav aria-label="Pages">
      {{links}}
      <span id="address"></span>
    </nav>
    <main>
${sections.join('\n')}
    </main>
  </body>
</html>
`;
  const documents = {
    'lesson.yaml': await read('openapi/lesson.yaml'),
    'arazzo.yaml': await read('openapi/arazzo.yaml'),
  };
  return `${JSON.stringify({ html, style, script, documents }, null, 2)}\n`;
};

const read = (path: string): Promise<string> => Bun.file(join(import.meta.dir, '../..', path)).text();

const idOf = (file: string): string => file.replace('.md', '').toLowerCase();

/** The section on the map of OpenAPI, which the service does not have. */
const ofTheMap = /^## Tools\n[\s\S]*?(?=^## |(?![\s\S]))/m;

const toSection = (file: string, markdown: string): string => {
  const number = lessons.findIndex((lesson) => lesson.file === file) + 1;
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  const html = Bun.markdown
    .html(markdown.replace(ofTheMap, ''))
    // The exercise is above its hint.
    .replace('<!-- hint -->', `<div data-lesson="${number}"></div>`)
    .replaceAll(/<!--.*?-->\n?/g, '')
    .replaceAll(/<a href="([^"]*)">([\s\S]*?)<\/a>/g, (link, href, content) => {
      const target = targetOf(href);
      return target === undefined ? content : link.replace(href, target);
    })
    .replaceAll(
      block,
      (_, language, code) => `<pre><code class="language-${language}">${colour(language, code)}</code></pre>`,
    )
    // The page has one heading of the first level.
    .replaceAll(/(<\/?h)(\d)/g, (_, tag, level) => `${tag}${file === 'README.md' ? level : Number(level) + 1}`)
    // What scrolls must be reachable by keyboard. Code is wrapped.
    .replaceAll('<table>', `<div class="table" role="region" aria-label="Table: ${title}" tabindex="0"><table>`)
    .replaceAll('</table>', '</table></div>');
  return `<section id="${idOf(file)}">\n${html}</section>`;
};

/** Code, in which the comments, the names of members and the lines of an edit have colours. */
const block = /<pre><code class="language-(\w+)">([\s\S]*?)<\/code><\/pre>/g;

const colour = (language: string, code: string): string =>
  code
    .split('\n')
    .map((line) => {
      if (language === 'diff') return /^[+-]/.test(line) ? mark(line.startsWith('+') ? 'new' : 'old', line) : line;
      if (/^\s*#/.test(line)) return mark('comment', line);
      if (language !== 'yaml' && language !== 'json') return line;
      const [, indent = '', name = '', rest = line] = /^(\s*(?:- )?)([^\s{[#][^\n]*?)(:(?:\s.*)?)$/.exec(line) ?? [];
      return name === '' ? line : `${indent}${mark('name', name)}${rest}`;
    })
    .join('\n');

const mark = (kind: string, text: string): string => `<span class="${kind}">${text}</span>`;

/** A section, a document that the service has, or another site. Undefined for other files of the repository. */
const targetOf = (href: string): string | undefined => {
  if (href.startsWith('https:')) return href;
  if (files.includes(href)) return `#${idOf(href)}`;
  return /^\.\.\/\.\.\/openapi\/((?:openapi(?:-3\.[02])?|lesson|arazzo)\.(?:yaml|json))$/.exec(href)?.[1];
};
