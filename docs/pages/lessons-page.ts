/** All pages of docs/learn/ as one page in HTML, which the service has at `/lessons`. Its links are relative, for a proxy with a prefix. */
import { join } from 'node:path';
import { lessons } from './lessons.ts';

const files = ['README.md', ...lessons.map(({ file }) => file), 'compare.md'];

/** `bun run generate` writes the pages of docs/learn/ before this one. */
export const renderLessonsPage = async (): Promise<string> => {
  const style = (await read('src/pages/colors.css')) + (await read('docs/pages/lessons.css'));
  const sections = await Promise.all(files.map(async (file) => toSection(file, await read(`docs/learn/${file}`))));
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Lessons · Plant Store</title>
    <link rel="icon" href="data:,">
    <style>${style}</style>
  </head>
  <body>
    <main>
${sections.join('\n')}
    </main>
  </body>
</html>
`;
  return `${JSON.stringify({ html, style }, null, 2)}\n`;
};

const read = (path: string): Promise<string> => Bun.file(join(import.meta.dir, '../..', path)).text();

const idOf = (file: string): string => file.replace('.md', '').toLowerCase();

/** The sections on the map of OpenAPI, which the service does not have. */
const ofTheMap = /^## (?:Tools|For teachers)\n[\s\S]*?(?=^## |(?![\s\S]))/m;

const toSection = (file: string, markdown: string): string => {
  const html = Bun.markdown
    .html(markdown.replace(ofTheMap, ''))
    .replaceAll(/<!--.*?-->\n?/g, '')
    .replaceAll(/<a href="([^"]*)">([\s\S]*?)<\/a>/g, (link, href, content) => {
      const target = targetOf(href);
      return target === undefined ? content : link.replace(href, target);
    })
    // The page has one heading of the first level.
    .replaceAll(/(<\/?h)(\d)/g, (_, tag, level) => `${tag}${file === 'README.md' ? level : Number(level) + 1}`)
    // What scrolls must be reachable by keyboard.
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="table" role="region" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return `<section id="${idOf(file)}">\n${html}</section>`;
};

/** A section, a document that the service has, or another site. Undefined for other files of the repository. */
const targetOf = (href: string): string | undefined => {
  if (href.startsWith('https:')) return href;
  if (files.includes(href)) return `#${idOf(href)}`;
  return /^\.\.\/\.\.\/openapi\/(openapi(?:-3\.[02])?\.(?:yaml|json))$/.exec(href)?.[1];
};
