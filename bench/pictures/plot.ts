/**
 * Draws the pictures of docs/performance.md from the files results.json, and writes its tables, without measuring.
 *
 *     bun run bench pictures
 */
import { join } from 'node:path';
import { type Figure, type Results, readResults } from '../requests/results.ts';
import { titles, toSections } from '../requests/tables.ts';
import { readStreamResults, type StreamResults, toStreamsTitle, toStreamTable } from '../streams/results.ts';
import { readWebhookResults, toTitle, toWebhookTable, type WebhookResults } from '../webhooks/results.ts';
import { draw, type Subject, type Theme } from './picture.ts';

export interface AllResults {
  readonly requests: Results;
  readonly webhooks: WebhookResults;
  readonly streams: StreamResults;
}

export const readAllResults = async (): Promise<AllResults> => ({
  requests: await readResults(),
  webhooks: await readWebhookResults(),
  streams: await readStreamResults(),
});

/** The pages with tables, by their paths from docs/. */
export interface Pages {
  readonly 'performance.md': string;
  readonly '../bench/README.md': string;
}

export const readPages = async (): Promise<Pages> => ({
  'performance.md': await Bun.file(join(docs, 'performance.md')).text(),
  '../bench/README.md': await Bun.file(join(docs, '../bench/README.md')).text(),
});

/** The files that are generated from the results, by their paths from docs/. In a page, each section is between two comments. */
export const toDocuments = (all: AllResults, pages: Pages): ReadonlyMap<string, string> => {
  const ofMessages = new Map([
    ['webhooks', toWebhookTable(all.webhooks)],
    ['streams', toStreamTable(all.streams)],
  ]);
  const documents = new Map([
    ['performance.md', replaceSections(pages['performance.md'], toSections(all.requests))],
    ['../bench/README.md', replaceSections(pages['../bench/README.md'], ofMessages)],
  ]);
  for (const [theme, colors] of Object.entries(themes))
    for (const [name, subject] of toSubjects(all)) documents.set(`${name}-${theme}.svg`, draw(subject, colors));
  return documents;
};

/** The pictures, by the beginnings of their names. */
export const toSubjects = ({ requests, webhooks, streams }: AllResults): ReadonlyMap<string, Subject> =>
  new Map([
    ['performance', ofRequests(requests, 'cpuUs', 'CPU time of a request, in microseconds', 'Less is better.')],
    ['throughput', ofRequests(requests, 'perSecond', 'Requests per second', 'More is better.')],
    ['webhooks', ofWebhooks(webhooks)],
    ['streams', ofStreams(streams)],
  ]);

const spreadOf = (rounds: number): string =>
  `median of ${rounds} rounds, with the least and the greatest value; each panel has its own scale.`;

const ofRequests = (results: Results, figure: Figure, title: string, words: string): Subject => {
  const rows = results.servers.map(({ stack }) => stack);
  return {
    title,
    subtitle: `${words} 128 connections; ${spreadOf(results.options.rounds)}`,
    rows,
    ours: rows[0] ?? '',
    panels: results.works
      .filter(({ connections }) => connections === 128)
      .map(({ load, servers }) => ({
        title: titles[load] ?? load,
        series: servers.map(({ figures }) => figures[figure]),
      })),
  };
};

const ofWebhooks = ({ options, works }: WebhookResults): Subject => ({
  title: 'CPU time of a message to a webhook, in microseconds',
  subtitle: `Less is better. Without that of PostgreSQL; ${spreadOf(options.rounds)}`,
  rows: (works[0]?.senders ?? []).map(({ name }) => name),
  ours: 'Plant Store',
  panels: works.map(({ webhooks, senders }) => ({
    title: toTitle(webhooks),
    series: senders.map(({ cpuUs }) => cpuUs),
  })),
});

const ofStreams = ({ options, works }: StreamResults): Subject => {
  const rows = (works[0]?.hubs ?? []).map(({ name }) => name);
  return {
    title: 'Time from the response to a create until its event arrives, 99 of 100, in milliseconds',
    subtitle: `Less is better. ${options.rate} creates a second; ${spreadOf(options.rounds)}`,
    rows,
    ours: 'Plant Store',
    panels: works.map(({ streams, hubs }) => ({
      title: toStreamsTitle(streams),
      series: rows.map((row) => hubs.find(({ name }) => name === row)?.figures.p99Ms),
    })),
  };
};

export const publish = async (): Promise<void> => {
  for (const [name, text] of toDocuments(await readAllResults(), await readPages()))
    await Bun.write(join(docs, name), text);
};

export const docs = join(import.meta.dir, '../../docs');

/** Colours of GitHub's pages. */
export const themes: Readonly<Record<string, Theme>> = {
  light: { text: '#1f2328', quietText: '#59636e', ours: '#1a7f37', peer: '#b6bfc8' },
  dark: { text: '#f0f6fc', quietText: '#9198a1', ours: '#3fb950', peer: '#57606a' },
};

/** Writes each section between its comment and the next one. */
export const replaceSections = (page: string, sections: ReadonlyMap<string, string>): string => {
  let replaced = page;
  for (const [name, text] of sections) {
    const section = new RegExp(`(?<=<!-- results: ${name} -->\n).*?(?=<!-- end of results -->)`, 's');
    if (!section.test(replaced)) throw new Error(`A page has no place for results: ${name}`);
    replaced = replaced.replace(section, () => `\n${text}\n\n`);
  }
  return replaced;
};
