/** The results of `bun run bench webhooks`, as `results.json` has them, and their table. */
import { join } from 'node:path';
import type { Series } from '../requests/results.ts';
import { rangeOfRatio, show } from '../requests/tables.ts';
import { toTable } from '../support/measure.ts';

export interface WebhookResults {
  /** RFC 3339. */
  readonly startedAt: string;
  readonly options: { readonly messages: number; readonly rounds: number };
  /** One for each number of webhooks. The floor is the first sender, and Plant Store the second. */
  readonly works: readonly { readonly webhooks: number; readonly senders: readonly SenderResults[] }[];
}

export interface SenderResults {
  readonly name: string;
  /** The CPU time of a message in the sender, in microseconds. */
  readonly cpuUs: Series;
  /** The CPU time of a message in PostgreSQL, if the sender uses it. */
  readonly postgresUs?: Series;
  readonly perSecond: Series;
  /** The CPU time of the sender, divided by that of the floor in the same round. */
  readonly ratio: Series;
}

export const webhookResultsPath = join(import.meta.dir, 'results.json');

export const readWebhookResults = async (): Promise<WebhookResults> => await Bun.file(webhookResultsPath).json();

export const toTitle = (webhooks: number): string => (webhooks === 1 ? 'one webhook' : `${webhooks} webhooks`);

export const toWebhookTable = ({ works }: WebhookResults): string =>
  toTable(
    ['CPU of a message in µs, ×floor', ...works.flatMap(({ webhooks }) => [toTitle(webhooks), 'messages a second'])],
    (works[0]?.senders ?? []).map(({ name }) => [
      name,
      ...works.flatMap(({ senders }) => {
        const found = senders.find((one) => one.name === name);
        if (!found) throw new Error(`There is no result of ${name}.`);
        const { cpuUs, postgresUs, ratio, perSecond } = found;
        const cpu = [cpuUs, ...(postgresUs ? [postgresUs] : [])].map(({ median }) => show(median)).join('+');
        return [`${cpu}, ×${rangeOfRatio(ratio)}`, show(perSecond.median)];
      }),
    ]),
  );
