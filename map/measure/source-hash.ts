/**
 * A hash of what the answers of a tool depend on: its version and adapter, the document, the checks of its abilities, and the code that
 * asks them. The words of a case, comments and types are no part of it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Adapter } from './adapter.ts';
import type { Case, Checks } from './case.ts';

export const hashOf = (adapter: Adapter, feature: Case, version: string, file = 'case.ts'): string => {
  const abilities = Object.keys(adapter.abilities).sort();
  const variants = (feature.variants ?? []).map(({ changes, checks }) => [changes, checksOf(checks, abilities)]);
  const hash = createHash('sha256').update(version).update(feature.yaml);
  for (const [name, text] of feature.beside) hash.update(`${name}\n${text}`);
  hash.update(textOf([checksOf(feature.checks, abilities), variants]));
  const asking = abilities.map((ability) => join(import.meta.dir, 'abilities', `${fileOf(ability)}.ts`));
  // The servers of a case for testers call functions of its file.
  const servers = abilities.includes('test') && feature.checks.test ? [join(feature.folder, file)] : [];
  const ofVariants = feature.variants?.length ? [join(import.meta.dir, 'variant.ts')] : [];
  const paths = [adapter.path, ...asking.filter(existsSync), ...servers, ...ofVariants].flatMap((path) => [
    ...sourcesOf(path),
  ]);
  for (const path of new Set(paths)) hash.update(codeOf(path));
  return hash.digest('hex').slice(0, 16);
};

const checksOf = (checks: Checks, abilities: readonly string[]) =>
  Object.entries(checks).filter(([ability]) => ability === 'load' || abilities.includes(ability));

/** `typeCheck` is in `type-check.ts`, and `locate` is a kind of `call`. */
const fileOf = (ability: string): string =>
  ability === 'locate' ? 'call' : ability.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    typeof member === 'bigint' || typeof member === 'function' || member instanceof RegExp ? `${member}` : member,
  );

const transpiler = new Bun.Transpiler({ loader: 'ts', target: 'bun' });
const codes = new Map<string, string>();

/** A file of TypeScript without its types and comments; any other file as it is. */
const codeOf = (path: string): string => {
  const known = codes.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(path, 'utf8');
  const code = path.endsWith('.ts') ? transpiler.transformSync(text) : text;
  codes.set(path, code);
  return code;
};

/** What decides answers. The other files of `map/` only carry and print them, and change often. */
const folders = ['../adapters/', '../cases/', 'abilities/'].map((folder) => join(import.meta.dir, folder));

/** The file, and the files in these folders that it imports or names by a relative path, such as a driver in Go. */
const sourcesOf = (path: string, known = new Set<string>()): Set<string> => {
  if (known.has(path)) return known;
  known.add(path);
  if (!path.endsWith('.ts')) return known;
  for (const [, name = ''] of codeOf(path).matchAll(/["'](\.{1,2}\/[\w./-]+)["']/g)) {
    const target = join(dirname(path), name);
    const isOurs = folders.some((folder) => target.startsWith(folder));
    if (isOurs && existsSync(target) && statSync(target).isFile()) sourcesOf(target, known);
  }
  return known;
};
