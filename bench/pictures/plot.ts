/**
 * Draws the pictures of docs/performance.md from results.json and writes its tables, without measuring.
 *
 *     bun run bench pictures
 */
import { join } from 'node:path';
import type { Results } from '../requests/results.ts';
import { toSections } from '../requests/tables.ts';
import { draw, type Subject, type Theme } from './picture.ts';

/** The files in docs/ that are generated from the results, and their texts. In the page, each section is between two comments. */
export const toDocuments = (results: Results, page: string): ReadonlyMap<string, string> => {
  const documents = new Map([['performance.md', replaceSections(page, toSections(results))]]);
  const { rounds } = results.options;
  const spread = `128 connections; median of ${rounds} rounds, with the least and the greatest value; each panel has its own scale.`;
  for (const [theme, colors] of Object.entries(themes)) {
    for (const [name, subject] of Object.entries(subjects)) {
      const subtitle = `${subject.subtitle} ${spread}`;
      documents.set(`${name}-${theme}.svg`, draw(results, { ...subject, subtitle }, colors));
    }
  }
  return documents;
};

export const publish = async (results: Results): Promise<void> => {
  const page = await Bun.file(join(docs, 'performance.md')).text();
  for (const [name, text] of toDocuments(results, page)) await Bun.write(join(docs, name), text);
};

export const docs = join(import.meta.dir, '../../docs');

/** Colours of GitHub's pages. */
const themes: Readonly<Record<string, Theme>> = {
  light: { text: '#1f2328', quietText: '#59636e', ours: '#1a7f37', peer: '#b6bfc8' },
  dark: { text: '#f0f6fc', quietText: '#9198a1', ours: '#3fb950', peer: '#57606a' },
};

const subjects: Readonly<Record<string, Subject>> = {
  performance: { figure: 'cpuUs', title: 'CPU time of a request, in microseconds', subtitle: 'Less is better.' },
  throughput: { figure: 'perSecond', title: 'Requests per second', subtitle: 'More is better.' },
};

/** Writes each section between its comment and the next one. */
const replaceSections = (page: string, sections: ReadonlyMap<string, string>): string => {
  let replaced = page;
  for (const [name, text] of sections) {
    const section = new RegExp(`(?<=<!-- results: ${name} -->\n).*?(?=<!-- end of results -->)`, 's');
    if (!section.test(replaced)) throw new Error(`docs/performance.md has no place for results: ${name}`);
    replaced = replaced.replace(section, () => `\n${text}\n\n`);
  }
  return replaced;
};
