/**
 * The measured answers of each tool, `results/<tool>.json`. They are committed, so that the site needs no tool. Those of another version are
 * beside its installation, in `.tools/<tool>@<version>.json`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Adapter } from './adapter.ts';
import type { CheckResult } from './check.ts';

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

const map = join(import.meta.dir, '..');

const pathOf = ({ id, version: pinned }: Pick<Adapter, 'id' | 'version'>, version: string): string =>
  version === pinned ? join(map, 'results', `${id}.json`) : join(map, '.tools', `${id}@${version}.json`);

/** Undefined if the version was not measured. */
export const readResults = (
  adapter: Pick<Adapter, 'id' | 'version'>,
  version = adapter.version,
): Results | undefined => {
  const path = pathOf(adapter, version);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
};

export const writeResults = async (adapter: Adapter, results: Results): Promise<void> => {
  const sorted = Object.entries(results.answers).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify({ ...results, answers: Object.fromEntries(sorted) }, null, 2);
  await Bun.write(pathOf(adapter, results.version), `${text}\n`);
};
