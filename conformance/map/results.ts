/** The measured answers of each tool, `results/<tool>.json`. They are committed, so that the site needs no tool. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult } from './data.ts';

export interface Results {
  readonly version: string;
  /** When, with which commit and where it was last measured. */
  readonly date: string;
  readonly commit: string;
  readonly environment: string;
  /** By feature. */
  readonly answers: Readonly<Record<string, Answers>>;
}

export interface Answers {
  /** Of the adapter, the case and the version. Equal hashes are not measured again. */
  readonly hash: string;
  readonly date: string;
  readonly checks: readonly CheckResult[];
}

const pathOf = (tool: string): string => join(import.meta.dir, '../results', `${tool}.json`);

export const readResults = (tool: string): Results | undefined =>
  existsSync(pathOf(tool)) ? JSON.parse(readFileSync(pathOf(tool), 'utf8')) : undefined;

export const writeResults = async (tool: string, results: Results): Promise<void> => {
  const sorted = Object.entries(results.answers).sort(([a], [b]) => (a < b ? -1 : 1));
  await Bun.write(pathOf(tool), `${JSON.stringify({ ...results, answers: Object.fromEntries(sorted) }, null, 2)}\n`);
};
