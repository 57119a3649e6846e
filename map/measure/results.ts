/**
 * The measured answers of each tool, `results/<tool>.json`. They are committed, so that the site needs no tool. Those of another version are
 * beside its installation, in `.tools/<tool>@<version>.json`.
 */
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Adapter } from './adapter.ts';
import type { CheckResult } from './check.ts';
import { type ControlAnswers, withControl } from './control.ts';
import type { OpenapiVersion } from './operation.ts';

export interface Results {
  readonly version: string;
  /** When, with which commit and where it was last measured. */
  readonly date: string;
  readonly commit: string;
  readonly environment: string;
  /** Texts that answers name by key. */
  readonly files?: Readonly<Record<string, string>>;
  /** By feature. */
  readonly answers: Readonly<Record<string, Answers>>;
}

export interface Answers {
  /** Of the adapter, the case and the version. Equal hashes are not measured again. */
  readonly hash: string;
  readonly date: string;
  /** The version of OpenAPI of the document that was asked with. */
  readonly openapi: OpenapiVersion;
  readonly checks: readonly CheckResult[];
  /** Of the control of the case, where a check is not right. */
  readonly control?: { readonly hash: string; readonly answers: ControlAnswers };
}

/** All checks, of which some cannot be asked. */
export const checksOf = ({ checks, control }: Answers): readonly CheckResult[] => withControl(checks, control?.answers);

const map = join(import.meta.dir, '..');

const pathOf = ({ id, version: pinned }: Pick<Adapter, 'id' | 'version'>, version: string): string =>
  version === pinned ? join(map, 'results', `${id}.json`) : join(map, '.tools', `${id}@${version}.json`);

/**
 * The results of another version become a part of the history of the tool. A version that reads no document at all has another command
 * line, for which the adapter is not made.
 */
export const rememberVersion = async (adapter: Pick<Adapter, 'id' | 'version'>, version: string): Promise<void> => {
  const answers = Object.values(readResults(adapter, version)?.answers ?? {});
  // A producer reads none, and is right somewhere.
  if (!answers.some(({ checks }) => checks.some(({ grade }) => grade === 'right')))
    throw new Error(`${adapter.id}@${version} reads no document: the adapter does not fit it.`);
  if (version !== adapter.version)
    await Bun.write(historyPathOf(adapter.id, version), Bun.file(pathOf(adapter, version)));
};

/** The committed results of an earlier version stay. */
const remember = (path: string, id: string, version: string): void => {
  const old: Results | undefined = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  if (old === undefined || old.version === version || path.includes('.tools')) return;
  renameSync(path, historyPathOf(id, old.version));
};

export const historyPathOf = (id: string, version: string): string =>
  join(map, 'results/history', `${id}@${version}.json`);

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
  const { files, answers } = withKeys(sorted, results.files);
  const text = JSON.stringify({ ...results, ...(Object.keys(files).length > 0 && { files }), answers }, null, 2);
  const path = pathOf(adapter, results.version);
  remember(path, adapter.id, results.version);
  await Bun.write(path, `${text}\n`);
};

/** The answers with the keys of their files instead of the texts, and the texts by key. A text that has a key already is one. */
const withKeys = (answers: readonly [feature: string, Answers][], known: Readonly<Record<string, string>> = {}) => {
  const files: Record<string, string> = {};
  const keyOf = ([name, text]: [string, string]): [string, string] => {
    const key = known[text] === undefined ? `${Bun.hash(text).toString(16)}/${name}` : text;
    files[key] = known[key] ?? text;
    return [name, key];
  };
  const keyedCheck = (check: CheckResult): CheckResult =>
    check.files === undefined ? check : { ...check, files: Object.fromEntries(Object.entries(check.files).map(keyOf)) };
  const keyedControl = ({ hash, answers: all }: NonNullable<Answers['control']>) => ({
    hash,
    answers: Object.fromEntries(Object.entries(all).map(([ability, checks]) => [ability, checks.map(keyedCheck)])),
  });
  const keyed = answers.map(([feature, { control, ...answer }]): [string, Answers] => [
    feature,
    { ...answer, checks: answer.checks.map(keyedCheck), ...(control && { control: keyedControl(control) }) },
  ]);
  return { files, answers: Object.fromEntries(keyed) };
};
