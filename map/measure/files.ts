/** The files that commands name, by their path in the site: what a case makes of its document, and what an adapter writes. */
import { join } from 'node:path';
import { parse } from 'yaml';
import { filesOfDiff } from './abilities/diff.ts';
import { filesOfLint } from './abilities/lint.ts';
import { readAdapters } from './adapter.ts';
import { as30, type Case, readCases, variantOf } from './case.ts';
import { controlOf } from './control.ts';
import { indentedExactJson } from './exact-json.ts';
import { readHistory } from './history.ts';
import { readResults } from './results.ts';

export type NamedFiles = ReadonlyMap<string, string>;

export const readNamedFiles = async (): Promise<NamedFiles> => {
  const [cases, adapters, sources] = await Promise.all([readCases(), readAdapters(), readSources()]);
  const ofCases = await Promise.all(cases.filter(({ ownDocument }) => ownDocument === undefined).map(filesOfCase));
  return new Map([
    ...sources,
    ...ofCases.flat(),
    ...adapters.flatMap((adapter) =>
      [readResults(adapter), ...readHistory(adapter.id)].flatMap((results) =>
        Object.entries(results?.files ?? {}).map(([key, text]): [string, string] => [
          pathOfWritten(adapter.id, key),
          text,
        ]),
      ),
    ),
  ]);
};

/** The adapters, what they share, and their drivers in other languages: `adapters/orval.ts`. */
const readSources = async (): Promise<[path: string, text: string][]> => {
  const root = join(import.meta.dir, '..');
  const paths = [...new Bun.Glob('adapters/**/*.{ts,go,java}').scanSync(root)].sort();
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => [path, await Bun.file(join(root, path)).text()]),
  );
};

const filesOfCase = async (feature: Case): Promise<[path: string, text: string][]> => {
  const { id, yaml, document, checks, since, beside } = feature;
  const made = [...filesOfLint(document, checks.lint ?? []), ...filesOfDiff(document, checks.diff ?? [])];
  const own: [string, string][] = [
    ['openapi.json', indentedExactJson(parse(yaml, { intAsBigInt: true }))],
    ...(since === '3.0' ? [['openapi-3.0.3.yaml', as30(feature).yaml] satisfies [string, string]] : []),
  ];
  const control = await controlOf(feature);
  const ofControl: [string, string][] = control === undefined ? [] : [[pathOfControl(id), control.yaml]];
  const variants = (feature.variants ?? []).map((variant): [string, string] => [
    pathOfVariant(id, variant.name),
    variantOf(feature, variant).yaml,
  ]);
  return [
    ...[...own, ...made, ...beside].map(([name, text]): [string, string] => [pathOfCase(id, name), text]),
    ...variants,
    ...ofControl,
  ];
};

/** The document of a variant, by its name, which ends the names of its checks. */
export const pathOfVariant = (feature: string, variant: string): string =>
  pathOfCase(feature, `${variant.replaceAll(/[^\w.-]+/g, '-')}.yaml`);

/** The document of the control. */
export const pathOfControl = (feature: string): string => pathOfCase(feature, 'control.yaml');

export const pathOfCase = (feature: string, name: string): string => `files/${feature}/${name}`;

/** The key has a hash and the name. */
export const pathOfWritten = (tool: string, key: string): string => `files/${tool}/${key}`;
