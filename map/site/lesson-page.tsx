/** A page of the course, made from its Markdown. Its links lead to pages of the site, or are plain text where the site has none. */
import { anchorOf } from '../features-page.ts';
import type { MapData } from '../measure/data.ts';
import { highlight } from './highlight.ts';
import type { LessonText } from './lessons.ts';
import { renderPage } from './page.tsx';
import { plain, Text } from './text.tsx';

export const renderLessonPage = (lesson: LessonText, lessons: readonly LessonText[], data: MapData): string => {
  const [, number, title = lesson.title] = /^(\d+)\. (.*)$/.exec(lesson.title) ?? [];
  return renderPage({
    data,
    root: '../',
    title: number === undefined ? title : `Lesson ${number}: ${title}`,
    description: number === undefined ? `${title}.` : `A lesson about OpenAPI 3.1: ${plain(title)}.`,
    section: 'Learn',
    children: (
      <>
        {number !== undefined && <p class="above">Lesson {number}</p>}
        <h1>
          <Text text={title} />
        </h1>
        {/* The text is one of this repository. */}
        <div class="lesson" dangerouslySetInnerHTML={{ __html: toHtml(lesson.markdown, lessons, data) }} />
      </>
    ),
  });
};

const toHtml = (markdown: string, lessons: readonly LessonText[], data: MapData): string =>
  Bun.markdown
    .html(markdown, { headings: { ids: true } })
    .replaceAll(blockOfCode, (_, file, pointer, language, text) => renderCode(language, textOf(text), file, pointer))
    .replaceAll(/<!--.*?-->\n?/g, '')
    .replaceAll('<table>', '<div class="table" role="region" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll(/<a href="([^"]*)">([\s\S]*?)<\/a>/g, (link, href, content) => {
      const target = targetOf(href, lessons, data);
      return target === undefined ? content : link.replace(href, target);
    });

/** A block, behind the marker of its lines if they are generated. */
const blockOfCode =
  /(?:<!-- lines \S*?([\w.-]+) (\S+?)(?: \d+)? -->\s*)?<pre><code class="language-(\w+)">([\s\S]*?)<\/code><\/pre>/g;

const textOf = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** As `Code` does: a block that scrolls must be reachable by keyboard. */
const renderCode = (language: string, text: string, file?: string, pointer?: string): string => {
  const caption = file === undefined ? captions[language] : `${file}#${pointer}`;
  const isCommand = caption === 'Commands';
  return [
    `<figure class="code${isCommand ? ' command' : caption === 'Output' ? ' output' : ''}">`,
    caption === undefined ? '' : `<figcaption>${Bun.escapeHTML(caption)}</figcaption>`,
    `<pre tabindex="0"${isCommand ? ' data-copy="the commands"' : ''}>${highlight(text.trimEnd(), language)}</pre>`,
    '</figure>',
  ].join('');
};

const captions: Readonly<Record<string, string>> = {
  sh: 'Commands',
  console: 'Commands',
  text: 'Output',
  json: 'Output',
  diff: 'my.yaml',
};

/** The address on the site. Undefined if the site has no such page. */
const targetOf = (href: string, lessons: readonly LessonText[], data: MapData): string | undefined => {
  if (href.startsWith('https:')) return href;
  const [path = '', anchor] = href.split('#');
  const lesson = lessons.find(({ id }) => path === (id === 'index' ? 'README.md' : `${id}.md`));
  if (lesson) return `${lesson.id}.html`;
  if (path === '../README.md') return '../index.html';
  const [, document] = /^\.\.\/\.\.\/openapi\/(.*)$/.exec(path) ?? [];
  if (document !== undefined) return document;
  const feature = path === '../FEATURES.md' && data.features.find(({ name }) => anchorOf(name) === anchor);
  return feature ? `../features/${feature.id}.html` : undefined;
};
