/**
 * The generated blocks of the pages in docs/learn/. Each follows a marker, an HTML comment that says what it has:
 *
 * - `lines FILE POINTER [NUMBER]`: the lines of a document at a JSON Pointer, or only the first ones
 * - `tools FEATURE…`: how many tools of the map read these features
 * - `hint`: the hint of the exercise
 * - `lessons`: the list of all lessons
 * - `next`: links to the lessons before and after this one
 */
import { join } from 'node:path';
import { isCollection, isMap, isScalar, parseDocument } from 'yaml';
import { anchorOf } from '../../map/features-page.ts';
import { type MapData, readMapData } from '../../map/measure/data.ts';
import { signs, verdicts, words } from '../../map/site/verdicts.ts';
import { namesIn } from '../../src/base/json-pointer.ts';
import { lazy } from '../../src/base/lazy.ts';
import { memoize } from '../../src/base/memoize.ts';
import { hintOf, titleOf } from './exercises.ts';
import { lessons } from './lessons.ts';

/** The page with its blocks made anew. `documents` has the texts of the documents by their paths. */
export const renderLessonPage = async (
  file: string,
  documents: Readonly<Record<string, () => string>>,
): Promise<string> => {
  const [page, map] = await Promise.all([textOfPage(file), measured()]);
  const titles = lessons.map((lesson) => titleOf(lesson.file));
  const blocks: Readonly<Record<string, (...names: string[]) => string>> = {
    lines: (path = '', pointer = '', count = 'all') => {
      const lines = linesAt(textOf(documents, path), pointer);
      const shown = count === 'all' ? lines : [...lines.slice(0, Number(count)), more(path)];
      return `\`\`\`${path.endsWith('.json') ? 'json' : 'yaml'}\n${shown.join('\n')}\n\`\`\``;
    },
    tools: (...features) => features.map((feature) => countsOf(feature, map)).join('\n'),
    hint: () => `<details><summary>Hint</summary>${hintOf(file)}</details>`,
    lessons: () => lessons.map((lesson, index) => `${index + 1}. [${titles[index]}](${lesson.file})`).join('\n'),
    next: () => {
      const at = lessons.findIndex((lesson) => lesson.file === file);
      const link = (word: string, index: number) =>
        lessons[index] ? [`${word}: [${titles[index]}](${lessons[index].file})`] : [];
      return ['[All lessons](README.md)', ...link('before', at - 1), ...link('next', at + 1)].join(' · ');
    },
  };
  return page.replaceAll(marked, (_, marker: string, name: string, rest: string) => {
    const block = blocks[name];
    if (block === undefined) throw new Error(`${file}: there is no block ${name}.`);
    return `${marker}\n${block(...rest.trim().split(' ').filter(Boolean))}\n`;
  });
};

/** A page without its generated blocks: what its author has written. */
export const withoutBlocks = (page: string): string => page.replaceAll(marked, '');

/** A marker, and the block of code or the lines behind it. */
const marked = /^(<!-- (\w+)([^\n]*?) ?-->)\n(?:```[\s\S]*?^```\n|(?:[^\n]+\n)*)/gm;

const textOfPage = (file: string): Promise<string> => Bun.file(join(import.meta.dir, '../learn', file)).text();

/** All pages share the data. */
const measured = lazy(readMapData);

const textOf = (documents: Readonly<Record<string, () => string>>, path: string): string => {
  const render = documents[path];
  if (render === undefined) throw new Error(`${path} is not a document.`);
  return render();
};

const more = (path: string): string => (path.endsWith('.json') ? '…' : '# …');

const parsed = memoize(4, (text) => parseDocument(text));

/** The lines of a member with its name, without their indentation and comments that name a lesson. Throws if there is none, or if it shares its line with others. */
const linesAt = (text: string, pointer: string): string[] => {
  const path = namesIn(pointer);
  const parent = parsed(text).getIn(path.slice(0, -1), true);
  const pair = isMap(parent) && parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
  if (!pair || !isScalar(pair.key)) throw new Error(`The document has nothing at ${pointer}.`);
  const [start = 0] = pair.key.range ?? [];
  const end = (isScalar(pair.value) || isCollection(pair.value) ? pair.value.range?.[1] : undefined) ?? start;
  const lineStart = text.lastIndexOf('\n', start) + 1;
  if (text.slice(lineStart, start).trim() !== '') throw new Error(`${pointer} is not at the beginning of a line.`);
  return text
    .slice(lineStart, end)
    .trimEnd()
    .split('\n')
    .filter((line) => !/^ *# Lesson /.test(line))
    .map((line) => line.slice(start - lineStart));
};

/** Of the tools that could be asked, how many have each verdict. */
const countsOf = (id: string, { features, tools }: MapData): string => {
  const feature = features.find((one) => one.id === id);
  if (feature === undefined) throw new Error(`The map has no feature ${id}.`);
  const given = tools.flatMap((tool) =>
    tool.verdicts.filter((one) => one.feature === id).map(({ verdict }) => verdict),
  );
  const counts = verdicts.flatMap((verdict) => {
    const count = given.filter((one) => one === verdict).length;
    return count > 0 ? [`${signs[verdict]} ${count} ${words[verdict]}`] : [];
  });
  return `- [${feature.name}](../../map/FEATURES.md#${anchorOf(feature.name)}): of ${given.length} tools, ${counts.join(', ')}`;
};
