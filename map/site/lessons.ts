/** The lessons of docs/learn/ as Markdown, and the documents that they show. */
import { join } from 'node:path';

export interface LessonText {
  /** The name of its page on the site, without the ending. */
  readonly id: string;
  /** Its first heading. */
  readonly title: string;
  /** Everything below the first heading. */
  readonly markdown: string;
}

const root = join(import.meta.dir, '../..');

/** The index first, then the lessons in their order, then the other pages. */
export const readLessons = async (): Promise<LessonText[]> => {
  const names = [...new Bun.Glob('*.md').scanSync(join(root, 'docs/learn'))].sort(
    (a, b) => Number(b === 'README.md') - Number(a === 'README.md') || a.localeCompare(b),
  );
  return Promise.all(names.map(readLesson));
};

const readLesson = async (name: string): Promise<LessonText> => {
  const [heading = '', ...rest] = (await Bun.file(join(root, 'docs/learn', name)).text()).split('\n');
  return {
    id: name === 'README.md' ? 'index' : name.replace('.md', ''),
    title: heading.replace(/^# /, ''),
    markdown: rest.join('\n'),
  };
};

/** All files in openapi/, by their names on the site. */
export const documentFiles = async (): Promise<[string, string][]> => {
  const folder = join(root, 'openapi');
  const names = [...new Bun.Glob('*').scanSync(folder)].sort();
  return Promise.all(names.map(async (name) => [`learn/${name}`, await Bun.file(join(folder, name)).text()]));
};
