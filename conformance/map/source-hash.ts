/** A hash of what a measurement depends on: the adapter with what it imports from `adapters/`, the case, and the version. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Adapter } from './adapter.ts';
import type { Case } from './case.ts';

export const hashOf = (adapter: Adapter, feature: Case, version: string): string => {
  const hash = createHash('sha256').update(version).update(feature.yaml);
  for (const path of [...sourcesOf(adapter.path), ...sourcesOf(join(feature.folder, 'case.ts'))])
    hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
};

const folders = ['../adapters/', '../cases/'].map((folder) => join(import.meta.dir, folder));

/** The file, and the files of adapters and cases that it imports or names by a relative path, such as a driver in Go. */
const sourcesOf = (path: string, known = new Set<string>()): Set<string> => {
  if (known.has(path)) return known;
  known.add(path);
  if (!path.endsWith('.ts')) return known;
  const text = readFileSync(path, 'utf8');
  const named = [...text.matchAll(/'(\.{1,2}\/[\w./-]+)'/g)].map(([, name = '']) => name);
  for (const name of named) {
    const target = join(dirname(path), name);
    const isOurs = folders.some((folder) => target.startsWith(folder));
    if (isOurs && existsSync(target) && statSync(target).isFile()) sourcesOf(target, known);
  }
  return known;
};
